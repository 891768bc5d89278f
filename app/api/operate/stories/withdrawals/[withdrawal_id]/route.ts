import { storyHandler } from '#lib/server/runtime/http/story-handler.ts'

export const GET = storyHandler('operate.withdrawalStory', 'withdrawal', 'withdrawal_id', (console, id) =>
  console.withdrawalStory(id),
)
