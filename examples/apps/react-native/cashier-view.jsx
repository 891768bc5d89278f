/** The cashier in an app of React Native. `pageUrl` is your page with `connectApp` (packages/embed/README.md). */
import { useRef } from 'react'
import { Linking } from 'react-native'
import { WebView } from 'react-native-webview'

const OUTSIDE = /^(https|bitcoin|bitcoincash|dogecoin|ethereum|litecoin|solana|tron):/

// Fails on a device without such a wallet.
const openOutside = (url) => OUTSIDE.test(url) && Linking.openURL(url).catch(() => undefined)

/**
 * @param fetchLaunchToken asks your backend for a launch token, as the signed-in user
 * @param onEvent gets the events of `onEvent` in docs/guides/embed.md
 * @param onFile gets `{name, mime, base64}`; write it with your file library, and offer to share it
 */
export function CashierView({ pageUrl, fetchLaunchToken, onEvent, onFile, style }) {
  const webView = useRef(null)
  const files = useRef(new Map())

  const send = (message) =>
    webView.current?.injectJavaScript(`CashierBridge.receive(${JSON.stringify(JSON.stringify(message))}); true`)

  const receive = async (message) => {
    if (message.cashier !== 1) return
    switch (message.type) {
      case 'token_wanted':
        try {
          send({ type: 'token', id: message.id, token: await fetchLaunchToken() })
        } catch {
          send({ type: 'token_failed', id: message.id })
        }
        return
      case 'link':
        openOutside(message.url)
        return
      case 'file': {
        // A page that was loaded again counts its files anew.
        const base64 = (message.part === 0 ? '' : (files.current.get(message.id) ?? '')) + message.data
        files.current.set(message.id, base64)
        if (message.part + 1 < message.parts) return
        files.current.delete(message.id)
        onFile({ name: message.name, mime: message.mime, base64 })
        return
      }
      default:
        onEvent?.(message)
    }
  }

  return (
    <WebView
      ref={webView}
      style={style}
      source={{ uri: pageUrl }}
      originWhitelist={['https://*']}
      onMessage={({ nativeEvent }) => receive(JSON.parse(nativeEvent.data))}
      // Only your page may be the page; the frames in it go where they want.
      onShouldStartLoadWithRequest={({ url, isTopFrame }) => {
        if (isTopFrame === false || new URL(url).origin === new URL(pageUrl).origin) return true
        openOutside(url)
        return false
      }}
      // A provider's page may open a window of its own.
      setSupportMultipleWindows
      onOpenWindow={({ nativeEvent }) => openOutside(nativeEvent.targetUrl)}
      // iOS asks the user. Android asks too, if the manifest has android.permission.CAMERA.
      mediaCapturePermissionGrantType="prompt"
      mediaPlaybackRequiresUserAction={false}
      allowsInlineMediaPlayback
    />
  )
}
