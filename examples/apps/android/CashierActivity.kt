/**
 * The cashier in an app of Android. `PAGE` is your page with `connectApp` (packages/embed/README.md). Needs
 * androidx.activity, androidx.webkit, and in the manifest android.permission.INTERNET and android.permission.CAMERA.
 */
package com.example.shop

import android.Manifest.permission.CAMERA
import android.annotation.SuppressLint
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.os.Message
import android.util.Base64
import android.webkit.PermissionRequest
import android.webkit.WebChromeClient
import android.webkit.WebResourceRequest
import android.webkit.WebView
import android.webkit.WebViewClient
import androidx.activity.ComponentActivity
import androidx.activity.result.contract.ActivityResultContracts.CreateDocument
import androidx.activity.result.contract.ActivityResultContracts.RequestPermission
import androidx.lifecycle.lifecycleScope
import androidx.webkit.WebViewCompat
import kotlinx.coroutines.launch
import org.json.JSONObject

private const val PAGE = "https://shop.example.com/app/cashier"
private const val PAGE_ORIGIN = "https://shop.example.com"
/** Where your cashier is, and the providers of `ONRAMP_ORIGINS`: they may ask for the camera. */
private val CAMERA_ORIGINS = setOf("https://cashier.example.com")

class CashierActivity : ComponentActivity() {
  private val files = mutableMapOf<String, StringBuilder>()
  private var toSave = ByteArray(0)
  private var asking: PermissionRequest? = null

  private val save = registerForActivityResult(CreateDocument("*/*")) { place: Uri? ->
    place?.let { contentResolver.openOutputStream(it)?.use { out -> out.write(toSave) } }
    toSave = ByteArray(0)
  }
  private val camera = registerForActivityResult(RequestPermission()) { granted ->
    asking?.let { if (granted) it.grant(arrayOf(PermissionRequest.RESOURCE_VIDEO_CAPTURE)) else it.deny() }
    asking = null
  }

  /** Asks your backend for a launch token, as the signed-in user. */
  private suspend fun fetchLaunchToken(): String = TODO("call your backend")

  /** Gets the events of `onEvent` in docs/guides/embed.md. */
  private fun onEvent(event: JSONObject) {
    if (event.getString("type") == "close") finish()
  }

  @SuppressLint("SetJavaScriptEnabled")
  override fun onCreate(state: Bundle?) {
    super.onCreate(state)
    val view = WebView(this)
    view.settings.javaScriptEnabled = true
    view.settings.setSupportMultipleWindows(true)
    // Unlike addJavascriptInterface, it knows which frame of which site speaks.
    WebViewCompat.addWebMessageListener(view, "cashierApp", setOf(PAGE_ORIGIN)) { _, message, _, isMainFrame, reply ->
      val text = message.data
      if (isMainFrame && text != null) receive(JSONObject(text)) { reply.postMessage(it.toString()) }
    }
    view.webViewClient = object : WebViewClient() {
      // Only your page may be the page; the frames in it go where they want.
      override fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest): Boolean {
        if (!request.isForMainFrame || request.url.toString().startsWith("$PAGE_ORIGIN/")) return false
        openOutside(request.url)
        return true
      }
    }
    view.webChromeClient = object : WebChromeClient() {
      override fun onPermissionRequest(request: PermissionRequest) {
        val origin = request.origin.toString().trimEnd('/')
        val wantsCamera = request.resources.contains(PermissionRequest.RESOURCE_VIDEO_CAPTURE)
        if (!wantsCamera || origin !in CAMERA_ORIGINS) return request.deny()
        asking = request
        camera.launch(CAMERA)
      }

      // A provider's page may open a window of its own: the address of that window goes to the browser.
      override fun onCreateWindow(view: WebView, dialog: Boolean, gesture: Boolean, result: Message): Boolean {
        if (!gesture) return false
        val other = WebView(view.context)
        other.webViewClient = object : WebViewClient() {
          override fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest): Boolean {
            openOutside(request.url)
            view.destroy()
            return true
          }
        }
        (result.obj as WebView.WebViewTransport).webView = other
        result.sendToTarget()
        return true
      }
    }
    setContentView(view)
    view.loadUrl(PAGE)
  }

  private fun receive(message: JSONObject, send: (JSONObject) -> Unit) {
    if (message.optInt("cashier") != 1) return
    val id = message.optString("id")
    when (message.getString("type")) {
      "token_wanted" -> lifecycleScope.launch {
        val answer = JSONObject().put("id", id)
        runCatching { fetchLaunchToken() }
          .onSuccess { send(answer.put("type", "token").put("token", it)) }
          .onFailure { send(answer.put("type", "token_failed")) }
      }
      "link" -> openOutside(Uri.parse(message.getString("url")))
      "file" -> {
        val base64 = files.getOrPut(id) { StringBuilder() }.append(message.getString("data"))
        if (message.getInt("part") + 1 < message.getInt("parts")) return
        files.remove(id)
        toSave = Base64.decode(base64.toString(), Base64.DEFAULT)
        save.launch(message.getString("name"))
      }
      else -> onEvent(message)
    }
  }

  private fun openOutside(url: Uri) {
    if (url.scheme == "https") startActivity(Intent(Intent.ACTION_VIEW, url))
  }
}
