/** The session as the widget's page receives it. */
export interface WidgetSession {
  readonly token: string
  readonly status: 'created' | 'pending' | 'processing' | 'succeeded' | 'failed'
  /** Fixed if set; null if the user enters it. */
  readonly amount: string | null
  readonly fiatCurrency: string | null
  readonly country: string
  readonly currencyCode: string
  readonly currencyName: string
  readonly network: string
  /** The crypto amount for display. */
  readonly youGet: string | null
  readonly wallet: string | null
  readonly redirectUrl: string | null
}

export const WIDGET_ACTIONS = ['open', 'pay', 'pay_and_deliver', 'fail'] as const
export type WidgetAction = (typeof WIDGET_ACTIONS)[number]
