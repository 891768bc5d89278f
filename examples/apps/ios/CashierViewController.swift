/// The cashier in an app of iOS (15 or later). `pageUrl` is your page with `connectApp` (packages/embed/README.md).
/// Info.plist needs NSCameraUsageDescription.
import UIKit
import WebKit

private let outside: Set = ["https", "bitcoin", "bitcoincash", "dogecoin", "ethereum", "litecoin", "solana", "tron"]

final class CashierViewController: UIViewController, WKScriptMessageHandler, WKNavigationDelegate, WKUIDelegate {
  private let pageUrl: URL
  private let fetchLaunchToken: () async throws -> String
  private let onEvent: ([String: Any]) -> Void
  private var webView: WKWebView!
  private var files: [String: String] = [:]

  /// - Parameters:
  ///   - fetchLaunchToken: asks your backend for a launch token, as the signed-in user
  ///   - onEvent: gets the events of `onEvent` in docs/guides/embed.md
  init(pageUrl: URL, fetchLaunchToken: @escaping () async throws -> String, onEvent: @escaping ([String: Any]) -> Void) {
    self.pageUrl = pageUrl
    self.fetchLaunchToken = fetchLaunchToken
    self.onEvent = onEvent
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { fatalError("made in code") }

  override func loadView() {
    let configuration = WKWebViewConfiguration()
    configuration.allowsInlineMediaPlayback = true
    configuration.userContentController.add(self, name: "cashierApp")
    webView = WKWebView(frame: .zero, configuration: configuration)
    webView.navigationDelegate = self
    webView.uiDelegate = self
    view = webView
    webView.load(URLRequest(url: pageUrl))
  }

  override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    // The web view's configuration holds this object.
    if isBeingDismissed || isMovingFromParent {
      webView.configuration.userContentController.removeScriptMessageHandler(forName: "cashierApp")
    }
  }

  func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
    // Every frame has the channel; only your page may use it.
    guard message.frameInfo.isMainFrame, message.frameInfo.securityOrigin.host == pageUrl.host,
      let text = message.body as? String,
      let given = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      given["cashier"] as? Int == 1, let type = given["type"] as? String
    else { return }
    let id = given["id"] as? String ?? ""
    switch type {
    case "token_wanted":
      Task {
        do { send(["type": "token", "id": id, "token": try await fetchLaunchToken()]) } catch {
          send(["type": "token_failed", "id": id])
        }
      }
    case "link":
      openOutside(URL(string: given["url"] as? String ?? ""))
    case "file":
      guard let part = given["part"] as? Int, let parts = given["parts"] as? Int else { return }
      // A page that was loaded again counts its files anew.
      let base64 = (part == 0 ? "" : files[id] ?? "") + (given["data"] as? String ?? "")
      files[id] = base64
      guard part + 1 == parts else { return }
      files[id] = nil
      share(name: given["name"] as? String ?? "file", content: Data(base64Encoded: base64) ?? Data())
    default:
      onEvent(given)
    }
  }

  private func send(_ message: [String: String]) {
    guard let json = try? JSONSerialization.data(withJSONObject: message),
      let text = try? JSONSerialization.data(withJSONObject: String(decoding: json, as: UTF8.self), options: .fragmentsAllowed)
    else { return }
    webView.evaluateJavaScript("CashierBridge.receive(\(String(decoding: text, as: UTF8.self)))")
  }

  private func share(name: String, content: Data) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent((name as NSString).lastPathComponent)
    guard (try? content.write(to: file)) != nil else { return }
    let sheet = UIActivityViewController(activityItems: [file], applicationActivities: nil)
    sheet.popoverPresentationController?.sourceView = view
    present(sheet, animated: true)
  }

  private func openOutside(_ url: URL?) {
    guard let url, let scheme = url.scheme, outside.contains(scheme) else { return }
    UIApplication.shared.open(url)
  }

  // Only your page may be the page; the frames in it go where they want.
  func webView(
    _ webView: WKWebView, decidePolicyFor action: WKNavigationAction,
    decisionHandler: @escaping (WKNavigationActionPolicy) -> Void
  ) {
    if action.targetFrame?.isMainFrame == true, action.request.url?.host != pageUrl.host {
      openOutside(action.request.url)
      return decisionHandler(.cancel)
    }
    decisionHandler(.allow)
  }

  // A provider's page may open a window of its own.
  func webView(
    _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration, for action: WKNavigationAction,
    windowFeatures: WKWindowFeatures
  ) -> WKWebView? {
    openOutside(action.request.url)
    return nil
  }

  // iOS asks the user, once for the app and once for the site.
  func webView(
    _ webView: WKWebView, requestMediaCapturePermissionFor origin: WKSecurityOrigin, initiatedByFrame frame: WKFrameInfo,
    type: WKMediaCaptureType, decisionHandler: @escaping (WKPermissionDecision) -> Void
  ) {
    decisionHandler(type == .camera ? .prompt : .deny)
  }
}
