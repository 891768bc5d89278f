import { storyHandler } from '#lib/server/runtime/http/story-handler.ts'

export const GET = storyHandler('operate.transactionStory', 'transaction', 'transaction_uuid', (console, uuid) =>
  console.transactionStory(uuid),
)
