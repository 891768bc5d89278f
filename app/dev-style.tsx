import './globals.css'

/** In development the framework serves the style, and reloads it when it changes. */
export default function PageStyle(_props: { readonly nonce?: string | undefined }) {
  return null
}
