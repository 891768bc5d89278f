/** What the widget's page knows of its session. */
export interface WidgetSession {
  readonly token: string
  readonly status: 'created' | 'pending' | 'processing' | 'succeeded' | 'failed'
  /** Locked when set; null where the user names it. */
  readonly amount: string | null
  readonly fiatCurrency: string | null
  readonly country: string
  readonly currencyCode: string
  readonly currencyName: string
  readonly network: string
  /** What the amount buys, for show. */
  readonly youGet: string | null
  readonly wallet: string | null
  readonly redirectUrl: string | null
}

export const WIDGET_ACTIONS = ['open', 'pay', 'pay_and_deliver', 'fail'] as const
export type WidgetAction = (typeof WIDGET_ACTIONS)[number]
