/** The effects of the magic values, in the words of docs/guides/test.md. */
export const MAGIC_WORDS = {
  amounts: {
    '0701': 'awaits approval',
    '0702': 'rejected, no transaction',
    '0703': 'rejected, with a failed transaction',
    '0704': 'cut before commit',
    '0705': 'cut after commit',
    '0706': '500 after commit',
    '0707': 'garbage after commit',
    '0708': 'accepted, fails after 1 s',
    '0709': 'accepted, completes after 1 s',
    '0711': 'no response, committed',
    '0712': '429',
    '0713': '422, below the minimum',
    '0714': '500 with a transaction in processing',
  },
  addresses: {
    needs_approval: 'needs approval',
    refuse: 'rejected',
    fails_later: 'fails after 1 s',
    completes_later: 'completes after 1 s',
    cut_after_commit: 'cut after commit',
  },
  users: {
    'qa-slow': 'is sent after 5 s',
    'qa-broken': '500',
    'qa-garbage': 'is not JSON',
    'qa-cut': 'cuts the connection',
    'qa-clamped': 'has two rows a page',
    'qa-looping': 'repeats its cursor',
    'qa-lagging': 'does not show the last minute',
  },
} as const
