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
import android.webkit.ValueCallback
import android.webkit.WebChromeClient
import android.webkit.WebResourceRequest
import android.webkit.WebView
import android.webkit.WebViewClient
import androidx.activity.ComponentActivity
import androidx.activity.result.contract.ActivityResultContracts.CreateDocument
import androidx.activity.result.contract.ActivityResultContracts.RequestPermission
import androidx.activity.result.contract.ActivityResultContracts.StartActivityForResult
import androidx.lifecycle.lifecycleScope
import androidx.webkit.WebViewCompat
import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.json.JSONObject

private const val PAGE = "https://shop.example.com/app/cashier"
private const val PAGE_ORIGIN = "https://shop.example.com"
/** Your backend's answer has the `launch_token` of `POST /api/merchant/sessions`. */
private const val TOKEN_URL = "https://shop.example.com/cashier-token"
private val OUTSIDE = setOf("https", "bitcoin", "bitcoincash", "dogecoin", "ethereum", "litecoin", "solana", "tron")
/** Where your cashier is, and the providers of `ONRAMP_ORIGINS`: they may ask for the camera. */
private val CAMERA_ORIGINS = setOf("https://cashier.example.com")

class CashierActivity : ComponentActivity() {
  companion object {
    /** The extra of the intent with the header by which your backend knows the signed-in user. */
    const val AUTHORIZATION = "authorization"
  }

  private val files = mutableMapOf<String, StringBuilder>()
  private var toSave = ByteArray(0)
  private var asking: PermissionRequest? = null

  private val save = registerForActivityResult(CreateDocument("*/*")) { place: Uri? ->
    place?.let { contentResolver.openOutputStream(it)?.use { out -> out.write(toSave) } }
    toSave = ByteArray(0)
  }
  private var choosing: ValueCallback<Array<Uri>>? = null
  private val choose = registerForActivityResult(StartActivityForResult()) { result ->
    choosing?.onReceiveValue(WebChromeClient.FileChooserParams.parseResult(result.resultCode, result.data))
    choosing = null
  }
  private val camera = registerForActivityResult(RequestPermission()) { granted ->
    asking?.let { if (granted) it.grant(arrayOf(PermissionRequest.RESOURCE_VIDEO_CAPTURE)) else it.deny() }
    asking = null
  }

  /** Asks your backend for a launch token, as the signed-in user. */
  private suspend fun fetchLaunchToken(): String = withContext(Dispatchers.IO) {
    val call = URL(TOKEN_URL).openConnection() as HttpURLConnection
    try {
      call.requestMethod = "POST"
      call.connectTimeout = 10_000
      call.readTimeout = 10_000
      call.setRequestProperty("Authorization", intent.getStringExtra(AUTHORIZATION))
      // Throws for an answer that is an error.
      val answer = call.inputStream.bufferedReader().use { it.readText() }
      JSONObject(answer).getString("launch_token")
    } finally {
      call.disconnect()
    }
  }

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

      // A provider's identity check may ask for a document.
      override fun onShowFileChooser(
        view: WebView, callback: ValueCallback<Array<Uri>>, params: FileChooserParams,
      ): Boolean {
        choosing?.onReceiveValue(null)
        choosing = callback
        choose.launch(params.createIntent())
        return true
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
        val part = message.getInt("part")
        // A page that was loaded again counts its files anew.
        if (part == 0) files[id] = StringBuilder()
        val base64 = files[id]?.append(message.getString("data")) ?: return
        if (part + 1 < message.getInt("parts")) return
        files.remove(id)
        toSave = Base64.decode(base64.toString(), Base64.DEFAULT)
        save.launch(message.getString("name"))
      }
      else -> onEvent(message)
    }
  }

  private fun openOutside(url: Uri) {
    // Fails on a device without such a wallet.
    if (url.scheme in OUTSIDE) runCatching { startActivity(Intent(Intent.ACTION_VIEW, url)) }
  }
}
