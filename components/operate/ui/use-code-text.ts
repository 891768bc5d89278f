import type { ConsoleKey } from '#lib/i18n/console-catalogue.ts'
import { useConsoleText } from '../context/texts.tsx'
import { isMovementStatus } from './status-badge.tsx'

const KINDS: Readonly<Record<string, ConsoleKey>> = {
  withdrawal: 'story.kind.withdrawal',
  deposit: 'story.kind.deposit',
  payout: 'story.kind.payout',
  onramp: 'story.kind.onramp',
}

const BOOKINGS: Readonly<Record<string, ConsoleKey>> = {
  credit: 'story.booking.credit',
  reversal: 'story.booking.reversal',
  hold: 'story.booking.hold',
  release: 'story.booking.release',
  payout: 'story.booking.payout',
  late_payout: 'story.booking.late_payout',
  adjustment: 'story.booking.adjustment',
}

/** What operators do, by the audit log's code. */
const ACTIONS: Readonly<Record<string, ConsoleKey>> = {
  'user.open': 'action.user.open',
  'user.check': 'action.user.check',
  'user.end_sessions': 'action.user.end_sessions',
  'user.erase': 'action.user.erase',
  'user.erased': 'action.user.erased',
  'user_statement.open': 'action.user_statement.open',
  'user_statement.export': 'action.user_statement.export',
  'transaction.open': 'action.transaction.open',
  'withdrawal.open': 'action.withdrawal.open',
  'withdrawal.weigh': 'action.withdrawal.weigh',
  'withdrawal.approve': 'action.withdrawal.approve',
  'withdrawal.decline': 'action.withdrawal.decline',
  'withdrawal.sent': 'action.withdrawal.sent',
  'withdrawal.not_sent': 'action.withdrawal.not_sent',
  'withdrawal.propose': 'action.withdrawal.propose',
  'withdrawal.confirm': 'action.withdrawal.confirm',
  'withdrawal.refuse': 'action.withdrawal.refuse',
  'payout.open': 'action.payout.open',
  'payout.give': 'action.payout.give',
  'payout.acknowledge': 'action.payout.acknowledge',
  'payout.propose': 'action.payout.propose',
  'payout.confirm': 'action.payout.confirm',
  'payout.refuse': 'action.payout.refuse',
  'quarantine.open': 'action.quarantine.open',
  'quarantine.apply': 'action.quarantine.apply',
  'quarantine.dismiss': 'action.quarantine.dismiss',
  'deliveries.list': 'action.deliveries.list',
  'delivery.open': 'action.delivery.open',
  'delivery.resend': 'action.delivery.resend',
  'delivery.test': 'action.delivery.test',
  'list.open': 'action.list.open',
  'list.export': 'action.list.export',
  search: 'action.search',
  'audit.check': 'action.audit.check',
  'audit.export': 'action.audit.export',
  'installation.examine': 'action.installation.examine',
  'operator.sign_in': 'action.operator.sign_in',
  'operator.sign_out': 'action.operator.sign_out',
  'operator.invite': 'action.operator.invite',
  'operator.change_role': 'action.operator.change_role',
  'operator.enable': 'action.operator.enable',
  'operator.disable': 'action.operator.disable',
  'operator.revoke_passkey': 'action.operator.revoke_passkey',
  'passkey.create': 'action.passkey.create',
  'key.make': 'action.key.make',
  'key.revoke': 'action.key.revoke',
}

/** Words for a kind, a status, a booking and an act; a code that the page does not know is shown as it is. */
export function useCodeText() {
  const { t } = useConsoleText()
  const wordsOf =
    (table: Readonly<Record<string, ConsoleKey>>) =>
    (code: string): string => {
      const key = Object.hasOwn(table, code) ? table[code] : undefined
      return key === undefined ? code : t(key)
    }
  return {
    kindText: wordsOf(KINDS),
    bookingText: wordsOf(BOOKINGS),
    actionText: wordsOf(ACTIONS),
    statusText: (status: string): string => (isMovementStatus(status) ? t(`status.${status}`) : status),
  }
}
