"""A merchant's backend in Python 3.9 or later, without packages. Bookings are in SQLite, each key once."""
import base64, hashlib, hmac, json, os, re, sqlite3, sys, threading, time, urllib.error, urllib.request
from decimal import Decimal, localcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

CASHIER_URL, MERCHANT_API_KEY = os.environ["CASHIER_URL"], os.environ["MERCHANT_API_KEY"]
try:
    KEY = base64.b64decode(os.environ.get("MERCHANT_WEBHOOK_SECRET", "").removeprefix("whsec_"), validate=True)
except ValueError:
    KEY = b""
if not KEY:  # Anybody could sign with an empty key.
    sys.exit("MERCHANT_WEBHOOK_SECRET is missing or malformed. Use the value of the cashier: whsec_ and Base64.")
PORT = int(os.environ.get("PORT", "8080"))
POSTPONE_ABOVE = Decimal(os.environ.get("POSTPONE_ABOVE", "100"))  # Of any currency; a person decides.

database = sqlite3.connect(os.environ.get("DATA", "bookings.db"), check_same_thread=False)
database.execute(
    "create table if not exists bookings (key text primary key, user text, currency text, amount text, at text)"
)
database.execute("create table if not exists feed (id integer primary key check (id = 1), cursor text)")
lock = threading.Lock()  # One change of the books at a time.


def book(key, user, currency, amount, at=""):
    """Once a key; what is told anew at a later time replaces it."""
    database.execute(
        "insert into bookings values (?, ?, ?, ?, ?) on conflict (key) do update"
        " set user = excluded.user, currency = excluded.currency, amount = excluded.amount, at = excluded.at"
        " where excluded.at > bookings.at",
        (key, user, currency, str(amount), at),
    )


def booked(key):
    """User, currency and amount; None without a booking."""
    return database.execute("select user, currency, amount from bookings where key = ?", (key,)).fetchone()


def is_reserved(withdrawal):
    return bool(booked(f"reserve:{withdrawal}")) and not booked(f"return:{withdrawal}")


def balances(user):
    sums = {}
    with localcontext() as context:
        context.prec = 120  # Amounts have up to 60 digits before the point and 30 after.
        for currency, amount in database.execute("select currency, amount from bookings where user = ?", (user,)):
            sums[currency] = sums.get(currency, Decimal(0)) + Decimal(amount)
    return sums


def verified(headers, body):
    """The JSON of a call that the cashier signed at most five minutes ago; otherwise None."""
    identifier, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return None
    signed = f"{identifier}.{timestamp}.".encode() + body
    wanted = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return json.loads(body) if any(hmac.compare_digest(one, wanted) for one in given) else None


def apply(data):
    """A purchase sends `onramp` and `deposit` events. Only the deposit is booked; it may come again with more digits."""
    user, currency = data["user_reference_id"], f"{data['currency_code']} {data['network']}"
    if data["kind"] == "deposit" and data["status"] == "succeeded":
        book(f"deposit:{data['transaction_uuid']}", user, currency, data["amount"], data["updated_at"])
    withdrawal = data.get("withdrawal_id")
    if data["kind"] != "payout" or not withdrawal or booked(f"paid:{withdrawal}"):  # Nothing undoes a payment.
        return
    if data["status"] == "succeeded":  # The reservation is the debit, unless there is none.
        book(f"paid:{withdrawal}", user, currency, "0" if is_reserved(withdrawal) else f"-{data['amount']}")
    if data["status"] == "failed":
        if reserved := booked(f"reserve:{withdrawal}"):
            book(f"return:{withdrawal}", *reserved[:2], reserved[2].removeprefix("-"))
        else:
            book(f"decline:{withdrawal}", user, currency, "0")  # The question may still come: it reserves nothing then.


def authorize(asked):
    """A repeated question gets the same answer, until the withdrawal has failed or is paid: then it is declined."""
    user, withdrawal = asked["user_reference_id"], asked["withdrawal_id"]
    if withdrawal.startswith("test_"):  # A test question of `npm run doctor`.
        return {"decision": "approve"}
    currency = f"{asked['currency']['currency_code']} {asked['currency']['network']}"
    if not any(booked(f"{one}:{withdrawal}") for one in ("reserve", "decline", "paid")):
        enough = Decimal(asked["amount"]) <= balances(user).get(currency, Decimal(0))
        booking, amount = ("reserve", f"-{asked['amount']}") if enough else ("decline", "0")
        book(f"{booking}:{withdrawal}", user, currency, amount)
    if not is_reserved(withdrawal) or booked(f"paid:{withdrawal}"):
        return {"decision": "decline", "user_message": "Not enough balance."}
    return {"decision": "postpone" if Decimal(asked["amount"]) > POSTPONE_ABOVE else "approve"}


def ask(path, body=None):
    request = urllib.request.Request(
        f"{CASHIER_URL}/api/merchant/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {MERCHANT_API_KEY}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def read_feed(cursor):
    """One page of the feed; False at its end. The cursor and what it passes are one commit."""
    try:
        page = ask("events?" + urlencode({"limit": 1000, **({"after": cursor} if cursor else {})}))
    except urllib.error.HTTPError as error:
        if error.code != 410 or not cursor:
            raise
        # `cursor_lost`: a backup of the cashier was restored. Every event comes again, and is booked already.
        page = {"events": [], "next_cursor": ""}
    if page["next_cursor"] == cursor:
        return False
    with lock, database:
        for event in page["events"]:
            apply(event["data"])
        database.execute("insert or replace into feed values (1, ?)", (page["next_cursor"],))
    return True


def follow_feed():
    """Webhooks are fast, but one that is refused for three days does not come again. The feed tells every change."""
    while True:
        try:
            with lock:
                row = database.execute("select cursor from feed").fetchone()
            if read_feed(row and row[0]):
                continue
        except Exception as error:
            print("the feed:", error, file=sys.stderr, flush=True)
        time.sleep(2)


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Wallet</title><div id="cashier"></div>
<script src="%s/embed.js"></script>
<script>Cashier.mount('#cashier', { fetchLaunchToken: async () => {
  const response = await fetch('/cashier-token', { method: 'POST' })
  if (!response.ok) throw new Error('status ' + response.status)
  return (await response.json()).launch_token
} })</script>""" % CASHIER_URL


class Backend(BaseHTTPRequestHandler):
    def answer(self, status, body, **headers):
        self.send_response(status)
        text = body if isinstance(body, str) else json.dumps(body)
        kind = "text/html; charset=utf-8" if isinstance(body, str) else "application/json"
        for name, value in {"content_type": kind, "cache_control": "no-store", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(text.encode())

    def user(self):
        found = re.search(r"(?:^|; )user=([A-Za-z0-9_-]{1,128})", self.headers.get("Cookie", ""))
        return found and found[1]

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/":
            return self.answer(200, PAGE)
        if url.path == "/sign-in":  # Instead of your own sign-in.
            user = parse_qs(url.query).get("user", [""])[0]
            if not re.fullmatch(r"[A-Za-z0-9_-]{1,128}", user):
                return self.answer(422, {})
            return self.answer(303, "", location="/", set_cookie=f"user={user}; HttpOnly; SameSite=Lax; Path=/")
        if url.path == "/balance":
            return self.answer(200, {currency: f"{amount:f}" for currency, amount in balances(self.user()).items()})
        return self.answer(404, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.path == "/cashier-token":
            user = self.user()
            if not user:
                return self.answer(401, {})
            return self.answer(200, {"launch_token": ask("sessions", {"user_reference_id": user})["launch_token"]})
        if (call := verified(self.headers, body)) is None:
            return self.answer(401, {})
        with lock, database:  # One commit, before the answer.
            if self.path == "/webhook" and call["type"] == "transaction.updated":
                apply(call["data"])
            result = authorize(call) if self.path == "/authorize" else {}
        return self.answer(200, result)


server = ThreadingHTTPServer(("127.0.0.1", PORT), Backend)
print(f"listening on http://127.0.0.1:{PORT}", flush=True)
threading.Thread(target=follow_feed, daemon=True).start()
server.serve_forever()
