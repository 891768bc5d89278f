/** What the browser will refuse, as far as it says so before somebody asks for it. */

/** Chromium's; other engines have no such list. */
interface FeaturePolicy {
  readonly features: () => readonly string[]
  readonly allowsFeature: (name: string) => boolean
}

export interface PermittedOptions {
  readonly document: { readonly featurePolicy?: FeaturePolicy }
  readonly navigator: {
    readonly clipboard?: { readonly readText?: unknown } | undefined
    readonly permissions?: { readonly query?: (name: { readonly name: string }) => Promise<{ readonly state: string }> }
    readonly share?: unknown
    readonly canShare?: (data: { readonly text: string }) => boolean
  }
}

/** A feature that this version of the browser does not list is none that its policy can refuse. */
const policyAllows = ({ featurePolicy }: PermittedOptions['document'], feature: string): boolean =>
  featurePolicy === undefined || !featurePolicy.features().includes(feature) || featurePolicy.allowsFeature(feature)

/** `canShare` knows the policy of the frame, in all engines that have it. */
export const mayShare = ({ document, navigator }: PermittedOptions): boolean =>
  typeof navigator.share === 'function' &&
  policyAllows(document, 'web-share') &&
  (navigator.canShare?.({ text: 'x' }) ?? true)

/** Whether the clipboard may be read at all. Firefox and Safari ask at the press, and say nothing before. */
export const mayReadClipboard = ({ document, navigator }: PermittedOptions): boolean =>
  typeof navigator.clipboard?.readText === 'function' && policyAllows(document, 'clipboard-read')

/** Whether the user, or the browser for them, has refused the clipboard already. */
export async function isClipboardDenied({ navigator: { permissions } }: PermittedOptions): Promise<boolean> {
  try {
    return (await permissions?.query?.({ name: 'clipboard-read' }))?.state === 'denied'
  } catch {
    // Engines other than Chromium do not know this name.
    return false
  }
}
