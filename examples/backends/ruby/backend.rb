# A merchant's backend in Ruby 3.0 or later, with only the standard library. Bookings are in a file, each key once.
require 'bigdecimal'
require 'json'
require 'net/http'
require 'openssl'
require 'socket'
require 'uri'
require 'yaml/store'

CASHIER_URL = ENV.fetch('CASHIER_URL')
KEY = begin
  ENV.fetch('MERCHANT_WEBHOOK_SECRET', '').delete_prefix('whsec_').unpack1('m0')
rescue ArgumentError
  ''
end
# With an empty key anybody could sign.
abort 'MERCHANT_WEBHOOK_SECRET is missing or malformed. Use the value of the cashier: whsec_ and Base64.' if KEY.empty?
PORT = Integer(ENV.fetch('PORT', '8080'))
POSTPONE_ABOVE = BigDecimal(ENV.fetch('POSTPONE_ABOVE', '100')) # Of any currency; a person decides.
USER = /\A[A-Za-z0-9_-]{1,128}\z/
# A transaction of the store is on disk when it ends. Transactions run one at a time.
STORE = YAML::Store.new(ENV.fetch('DATA', 'bookings.yaml'), true)
STORE.ultra_safe = true

# Once a key; what is told anew at a later time replaces it.
def book(key, user, currency, amount, at = '')
  return if STORE.root?(key) && STORE[key]['at'] >= at

  STORE[key] = { 'user' => user, 'currency' => currency, 'amount' => amount, 'at' => at }
end

def reserved?(withdrawal) = STORE.root?("reserve:#{withdrawal}") && !STORE.root?("return:#{withdrawal}")

def balances(user)
  own = STORE.roots.map { |key| STORE[key] }.select { |one| one['amount'] && one['user'] == user }
  own.group_by { |one| one['currency'] }.transform_values { |all| all.sum(BigDecimal(0)) { |one| BigDecimal(one['amount']) } }
end

# The JSON of a call that the cashier signed at most five minutes ago; otherwise nil.
def verified(headers, body)
  id, timestamp = headers.values_at('webhook-id', 'webhook-timestamp')
  return unless timestamp&.match?(/\A\d{10}\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  wanted = "v1,#{[OpenSSL::HMAC.digest('SHA256', KEY, "#{id}.#{timestamp}.#{body}")].pack('m0')}"
  given = headers['webhook-signature'].to_s.split
  JSON.parse(body) if given.any? { |one| OpenSSL.secure_compare(one, wanted) }
end

# A purchase sends `onramp` and `deposit` events. Only the deposit is booked; it may come again with more digits.
def apply(data)
  kind, status, user, amount, withdrawal = data.values_at('kind', 'status', 'user_reference_id', 'amount', 'withdrawal_id')
  currency = "#{data['currency_code']} #{data['network']}"
  deposit = "deposit:#{data['transaction_uuid']}"
  book(deposit, user, currency, amount, data['updated_at']) if kind == 'deposit' && status == 'succeeded'
  # Nothing undoes a payment.
  return if kind != 'payout' || withdrawal.nil? || STORE.root?("paid:#{withdrawal}")

  # The reservation is the debit, unless there is none.
  book("paid:#{withdrawal}", user, currency, reserved?(withdrawal) ? '0' : "-#{amount}") if status == 'succeeded'
  return unless status == 'failed'

  # Without a reservation the question may still come: it reserves nothing then.
  reserved = STORE["reserve:#{withdrawal}"] or return book("decline:#{withdrawal}", user, currency, '0')
  book("return:#{withdrawal}", reserved['user'], reserved['currency'], reserved['amount'].delete_prefix('-'))
end

# A repeated question gets the same answer, until the withdrawal has failed or is paid: then it is declined.
def authorize(asked)
  user, amount, withdrawal = asked.values_at('user_reference_id', 'amount', 'withdrawal_id')
  return { decision: 'approve' } if withdrawal.start_with?('test_') # A test question of `npm run doctor`.

  currency = asked['currency'].values_at('currency_code', 'network').join(' ')
  unless %w[reserve decline paid].any? { |what| STORE.root?("#{what}:#{withdrawal}") }
    enough = BigDecimal(amount) <= balances(user).fetch(currency, 0)
    enough ? book("reserve:#{withdrawal}", user, currency, "-#{amount}") : book("decline:#{withdrawal}", user, currency, '0')
  end
  unless reserved?(withdrawal) && !STORE.root?("paid:#{withdrawal}")
    return { decision: 'decline', user_message: 'Not enough balance.' }
  end

  { decision: BigDecimal(amount) > POSTPONE_ABOVE ? 'postpone' : 'approve' }
end

HEADERS = { 'Authorization' => "Bearer #{ENV.fetch('MERCHANT_API_KEY')}", 'Content-Type' => 'application/json' }.freeze

# One page of the feed. The cursor and what it passes are one commit.
def read_feed
  cursor = STORE.transaction(true) { STORE['cursor']&.fetch('value') }
  query = URI.encode_www_form({ limit: 1000, after: cursor }.compact)
  answer = Net::HTTP.get_response(URI("#{CASHIER_URL}/api/merchant/events?#{query}"), HEADERS)
  # `cursor_lost`: a backup of the cashier was restored. Every event comes again, and is booked already.
  return STORE.transaction { STORE.delete('cursor') } if answer.is_a?(Net::HTTPGone) && cursor
  raise "the cashier answered #{answer.code}" unless answer.is_a?(Net::HTTPOK)

  events, following = JSON.parse(answer.body).values_at('events', 'next_cursor')
  return if following == cursor

  STORE.transaction do
    events.each { |event| apply(event['data']) }
    STORE['cursor'] = { 'value' => following }
  end
end

# Webhooks are fast, but one that is refused for three days does not come again. The feed tells every change.
def follow_feed
  loop do
    read_feed or sleep 2
  rescue StandardError => error
    warn "the feed: #{error.message}"
    sleep 2
  end
end

def launch_token(user)
  answer = Net::HTTP.post(URI("#{CASHIER_URL}/api/merchant/sessions"), { user_reference_id: user }.to_json, HEADERS)
  raise "the cashier answered #{answer.code}" unless answer.is_a?(Net::HTTPCreated)

  JSON.parse(answer.body).fetch('launch_token')
end

PAGE = <<~HTML
  <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Wallet</title><div id="cashier"></div>
  <script src="#{CASHIER_URL}/embed.js"></script>
  <script>Cashier.mount('#cashier', { fetchLaunchToken: async () => {
    const response = await fetch('/cashier-token', { method: 'POST' })
    if (!response.ok) throw new Error('status ' + response.status)
    return (await response.json()).launch_token
  } })</script>
HTML

# Returns status, body and further headers of an answer.
def answer(method, url, headers, body)
  user = headers['cookie'].to_s[/(?:\A|; )user=([A-Za-z0-9_-]{1,128})/, 1]
  case "#{method} #{url.path}"
  when 'GET /' then [200, PAGE, { 'content-type' => 'text/html; charset=utf-8' }]
  when 'GET /sign-in' # Instead of your own sign-in.
    name = URI.decode_www_form(url.query.to_s).to_h['user'].to_s
    return [422, {}] unless name.match?(USER)

    [303, '', { 'location' => '/', 'set-cookie' => "user=#{name}; HttpOnly; SameSite=Lax; Path=/" }]
  when 'GET /balance' then [200, STORE.transaction(true) { balances(user) }.transform_values { |sum| sum.to_s('F').sub(/\.?0+\z/, '') }]
  when 'POST /cashier-token' then user ? [200, { launch_token: launch_token(user) }] : [401, {}]
  when 'POST /webhook', 'POST /authorize'
    call = verified(headers, body) or return [401, {}]
    return [200, STORE.transaction { authorize(call) }] if url.path == '/authorize'

    STORE.transaction { apply(call['data']) } if call['type'] == 'transaction.updated'
    [200, {}]
  else [404, {}]
  end
end

# Ruby's standard library has no web server now; use Rack's. This server reads one request per connection.
def serve(client)
  method, target = client.gets.to_s.split
  lines = client.each_line(chomp: true).take_while { |line| line != '' }
  headers = lines.to_h { |line| line.split(': ', 2).then { |name, value| [name.downcase, value.to_s] } }
  status, content, more = answer(method, URI(target), headers, client.read(headers['content-length'].to_i).to_s)
rescue StandardError => error
  warn error.full_message
  status, content = 500, {}
ensure
  text = content.is_a?(String) ? content : content.to_json
  lines = { 'content-type' => 'application/json', 'content-length' => text.bytesize, 'connection' => 'close', **(more || {}) }
  client.write("HTTP/1.1 #{status} -\r\n#{lines.map { |name, value| "#{name}: #{value}\r\n" }.join}\r\n#{text}")
  client.close
end

server = TCPServer.new('127.0.0.1', PORT)
puts "listening on http://127.0.0.1:#{PORT}"
$stdout.flush
Thread.new { follow_feed }
loop { Thread.new(server.accept) { |client| serve(client) } }
