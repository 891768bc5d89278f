/** What the browser will refuse, if it says so before the request. */

/** Only Chromium has this list. */
interface FeaturePolicy {
  readonly features: () => readonly string[]
  readonly allowsFeature: (name: string) => boolean
}

export interface PermittedOptions {
  readonly document: { readonly featurePolicy?: FeaturePolicy }
  readonly navigator: {
    readonly clipboard?: { readonly readText?: unknown } | undefined
    readonly mediaDevices?: { readonly getUserMedia?: unknown } | undefined
    readonly permissions?: { readonly query?: (name: { readonly name: string }) => Promise<{ readonly state: string }> }
    readonly share?: unknown
    readonly canShare?: (data: { readonly text: string }) => boolean
  }
}

/** A browser's policy cannot refuse a feature that this version of the browser does not list. */
export const policyAllows = ({ featurePolicy }: PermittedOptions['document'], feature: string): boolean =>
  featurePolicy === undefined || !featurePolicy.features().includes(feature) || featurePolicy.allowsFeature(feature)

/** In all engines that have it, `canShare` considers the policy of the frame. */
export const mayShare = ({ document, navigator }: PermittedOptions): boolean =>
  typeof navigator.share === 'function' &&
  policyAllows(document, 'web-share') &&
  (navigator.canShare?.({ text: 'x' }) ?? true)

/** Whether the clipboard may be read at all. Firefox and Safari decide only at the press. */
export const mayReadClipboard = ({ document, navigator }: PermittedOptions): boolean =>
  typeof navigator.clipboard?.readText === 'function' && policyAllows(document, 'clipboard-read')

/** Whether the user or the browser has already refused the clipboard. */
export async function isClipboardDenied({ navigator: { permissions } }: PermittedOptions): Promise<boolean> {
  try {
    return (await permissions?.query?.({ name: 'clipboard-read' }))?.state === 'denied'
  } catch {
    // Engines other than Chromium do not know this name.
    return false
  }
}
