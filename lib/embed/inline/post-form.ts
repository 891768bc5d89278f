import { browserTimeZone } from '../frame/browser-time-zone.ts'

/** Posts the page's form. A prerendered page must not use the token, so it waits until the user sees the page. */
export default function postForm(): void {
  const post = (): void => {
    const zone = document.querySelector<HTMLInputElement>('[name=time_zone]')
    if (zone) zone.value = browserTimeZone()
    document.forms[0]?.submit()
  }
  const page = document as Document & { readonly prerendering?: boolean }
  if (page.prerendering === true) document.addEventListener('prerenderingchange', post, { once: true })
  else post()
}
