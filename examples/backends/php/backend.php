<?php
// A merchant's backend in PHP 8.1 or later, with pdo_sqlite and bcmath. Bookings are in SQLite, each key once.
declare(strict_types=1);

$cashierUrl = getenv('CASHIER_URL');
$key = base64_decode(preg_replace('/^whsec_/', '', (string) getenv('MERCHANT_WEBHOOK_SECRET')), true);
if ((string) $key === '') { // With an empty key anybody could sign. PHP runs this in each request.
    error_log('MERCHANT_WEBHOOK_SECRET is missing or malformed. Use the value of the cashier: whsec_ and Base64.');
    http_response_code(500);
    exit;
}
$database = new PDO('sqlite:' . (getenv('DATA') ?: 'bookings.db'), options: [PDO::ATTR_TIMEOUT => 10]);
$database->exec(
    'create table if not exists bookings (key text primary key, user text, currency text, amount text, at text);
    create table if not exists feed (id integer primary key check (id = 1), cursor text)',
);

/** Once a key; what is told anew at a later time replaces it. */
function book(PDO $database, string $key, ?string $user, string $currency, string $amount, string $at = ''): void
{
    $database->prepare(
        'insert into bookings values (?, ?, ?, ?, ?) on conflict (key) do update
            set user = excluded.user, currency = excluded.currency, amount = excluded.amount, at = excluded.at
            where excluded.at > bookings.at',
    )->execute([$key, $user, $currency, $amount, $at]);
}

/** @return array{user: string, currency: string, amount: string}|false */
function booked(PDO $database, string $key): array|false
{
    $found = $database->prepare('select user, currency, amount from bookings where key = ?');
    $found->execute([$key]);
    return $found->fetch(PDO::FETCH_ASSOC);
}

function isReserved(PDO $database, string $withdrawal): bool
{
    return booked($database, "reserve:$withdrawal") && !booked($database, "return:$withdrawal");
}

/** @return array<string, string> by currency; with 30 fractional digits, so that no digit is lost */
function balances(PDO $database, string $user): array
{
    $rows = $database->prepare('select currency, amount from bookings where user = ?');
    $rows->execute([$user]);
    $sums = [];
    foreach ($rows as ['currency' => $currency, 'amount' => $amount]) {
        $sums[$currency] = bcadd($sums[$currency] ?? '0', $amount, 30);
    }
    return $sums;
}

/** The JSON of a call that the cashier signed at most five minutes ago; otherwise null. */
function verified(string $key, string $body): ?array
{
    [$id, $timestamp] = [$_SERVER['HTTP_WEBHOOK_ID'] ?? '', $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? ''];
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($wanted, $given)) {
            return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        }
    }
    return null;
}

/** A purchase sends `onramp` and `deposit` events. Only the deposit is booked; it may come again with more digits. */
function apply(PDO $database, array $data): void
{
    [$user, $currency] = [$data['user_reference_id'], "{$data['currency_code']} {$data['network']}"];
    if ($data['kind'] === 'deposit' && $data['status'] === 'succeeded') {
        book($database, "deposit:{$data['transaction_uuid']}", $user, $currency, $data['amount'], $data['updated_at']);
    }
    $withdrawal = $data['withdrawal_id'] ?? '';
    if ($data['kind'] !== 'payout' || $withdrawal === '' || booked($database, "paid:$withdrawal")) {
        return; // Nothing undoes a payment.
    }
    if ($data['status'] === 'succeeded') { // The reservation is the debit, unless there is none.
        $debit = isReserved($database, $withdrawal) ? '0' : "-{$data['amount']}";
        book($database, "paid:$withdrawal", $user, $currency, $debit);
    }
    if ($data['status'] === 'failed') {
        if ($reserved = booked($database, "reserve:$withdrawal")) {
            $amount = ltrim($reserved['amount'], '-');
            book($database, "return:$withdrawal", $reserved['user'], $reserved['currency'], $amount);
        } else { // The question may still come: it reserves nothing then.
            book($database, "decline:$withdrawal", $user, $currency, '0');
        }
    }
}

/** A repeated question gets the same answer, until the withdrawal has failed or is paid: then it is declined. */
function authorize(PDO $database, array $asked): array
{
    [$user, $withdrawal] = [$asked['user_reference_id'], $asked['withdrawal_id']];
    if (str_starts_with($withdrawal, 'test_')) { // A test question of `npm run doctor`.
        return ['decision' => 'approve'];
    }
    $currency = "{$asked['currency']['currency_code']} {$asked['currency']['network']}";
    $isBooked = fn (string $what) => booked($database, "$what:$withdrawal") !== false;
    if (!array_filter(['reserve', 'decline', 'paid'], $isBooked)) {
        $enough = bccomp(balances($database, $user)[$currency] ?? '0', $asked['amount'], 30) >= 0;
        [$booking, $amount] = $enough ? ['reserve', "-{$asked['amount']}"] : ['decline', '0'];
        book($database, "$booking:$withdrawal", $user, $currency, $amount);
    }
    if (!isReserved($database, $withdrawal) || $isBooked('paid')) {
        return ['decision' => 'decline', 'user_message' => 'Not enough balance.'];
    }
    $limit = getenv('POSTPONE_ABOVE') ?: '100'; // Of any currency; a person decides.
    return ['decision' => bccomp($asked['amount'], $limit, 30) > 0 ? 'postpone' : 'approve'];
}

/** @return array{int, array} the cashier's status and JSON */
function ask(string $path, ?array $body = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $body === null ? 'GET' : 'POST',
        'header' => ['Authorization: Bearer ' . getenv('MERCHANT_API_KEY'), 'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => 10,
        'ignore_errors' => true,
    ]]);
    $answer = file_get_contents(getenv('CASHIER_URL') . "/api/merchant/$path", false, $context);
    if ($answer === false) {
        throw new RuntimeException('the cashier cannot be reached');
    }
    $status = (int) explode(' ', $http_response_header[0])[1];
    return [$status, json_decode($answer, true, flags: JSON_THROW_ON_ERROR)];
}

/** One page of the feed; false at its end. The cursor and what it passes are one commit. */
function readFeed(PDO $database): bool
{
    $cursor = (string) $database->query('select cursor from feed')->fetchColumn();
    $query = ['limit' => 1000] + ($cursor === '' ? [] : ['after' => $cursor]);
    [$status, $page] = ask('events?' . http_build_query($query));
    if ($status === 410 && $cursor !== '') {
        // `cursor_lost`: a backup of the cashier was restored. Every event comes again, and is booked already.
        $page = ['events' => [], 'next_cursor' => ''];
    } elseif ($status !== 200) {
        throw new RuntimeException("the cashier answered $status");
    }
    if ($page['next_cursor'] === $cursor) {
        return false;
    }
    $database->exec('begin immediate');
    try {
        foreach ($page['events'] as $event) {
            apply($database, $event['data']);
        }
        $database->prepare('insert or replace into feed values (1, ?)')->execute([$page['next_cursor']]);
        $database->exec('commit');
    } catch (Throwable $error) {
        $database->exec('rollback');
        throw $error;
    }
    return true;
}

function launchToken(string $user): string
{
    [$status, $session] = ask('sessions', ['user_reference_id' => $user]);
    return $status === 201 ? $session['launch_token'] : throw new RuntimeException("the cashier answered $status");
}

function answer(int $status, array $body): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    header('Cache-Control: no-store');
    exit(json_encode((object) $body));
}

// `php backend.php`, beside the server. Webhooks are fast, but one that is refused for three days does not come again.
// The feed tells every change.
while (PHP_SAPI === 'cli') {
    try {
        readFeed($database) || sleep(2);
    } catch (Exception $error) {
        error_log('the feed: ' . $error->getMessage());
        sleep(2);
    }
}

$user = preg_match('/^[A-Za-z0-9_-]{1,128}$/', $_COOKIE['user'] ?? '') ? $_COOKIE['user'] : '';
$route = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($route === 'GET /') {
    exit(<<<HTML
    <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Wallet</title><div id="cashier"></div>
    <script src="$cashierUrl/embed.js"></script>
    <script>Cashier.mount('#cashier', { fetchLaunchToken: async () => {
      const response = await fetch('/cashier-token', { method: 'POST' })
      if (!response.ok) throw new Error('status ' + response.status)
      return (await response.json()).launch_token
    } })</script>
    HTML);
}
if ($route === 'GET /sign-in') { // Stands in for your own sign-in.
    setcookie('user', (string) ($_GET['user'] ?? ''), ['httponly' => true, 'samesite' => 'Lax', 'path' => '/']);
    header('Location: /', true, 303);
    exit;
}
if ($route === 'GET /balance') {
    answer(200, array_map(fn (string $sum) => rtrim(rtrim($sum, '0'), '.'), balances($database, $user)));
}
if ($route === 'POST /cashier-token') {
    $user === '' ? answer(401, []) : answer(200, ['launch_token' => launchToken($user)]);
}
if ($route !== 'POST /webhook' && $route !== 'POST /authorize') {
    answer(404, []);
}
$call = verified($key, file_get_contents('php://input')) ?? answer(401, []);
$database->exec('begin immediate'); // Everything is committed at once, before the answer.
if ($route === 'POST /webhook' && $call['type'] === 'transaction.updated') {
    apply($database, $call['data']);
}
$result = $route === 'POST /authorize' ? authorize($database, $call) : [];
$database->exec('commit');
answer(200, $result);
