// A merchant's backend in Go 1.19 or later, with only the standard library. A file has one booking or cursor per line,
// and each key once.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

type object map[string]any
type booking struct {
	Key, User, Currency string
	Amount              *big.Rat // Exact: no floating point.
	At                  string   // When it was told, if it may be told anew.
}
type stored struct { // A line of the file.
	booking
	Cursor *string `json:",omitempty"`
}

// The names are those of the JSON. An event has its fields in Data; an authorization request has a currency object.
type fields struct {
	Type, Kind, Status, Transaction_uuid, Withdrawal_id, User_reference_id, Currency_code, Network, Updated_at string

	Amount   *big.Rat
	Currency struct{ Currency_code, Network string }
}
type call struct {
	fields
	Data fields
}

var (
	cashierURL = os.Getenv("CASHIER_URL")
	secret     = readSecret()
	userName   = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)
	lock       sync.Mutex // Bookings are changed one at a time.
	books      = map[string]booking{}
	file       *os.File
	cursor     string // Of the cashier's feed.

	postponeAbove, _ = new(big.Rat).SetString(setting("POSTPONE_ABOVE", "100")) // Of any currency; a person decides.
)

// With an empty key anybody could sign.
func readSecret() []byte {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("MERCHANT_WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("MERCHANT_WEBHOOK_SECRET is missing or malformed. Use the cashier's value: whsec_ and Base64.")
	}
	return key
}

func setting(name, usual string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return usual
}

// A panic in a handler sends no answer, so the cashier repeats its call.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func isBooked(key string) bool { return books[key].Key != "" }

// Once a key; what is told anew at a later time replaces it. A booking is on disk before it counts.
func book(one booking) {
	if !isBooked(one.Key) || one.At > books[one.Key].At {
		write(stored{booking: one})
		books[one.Key] = one
	}
}

func write(one stored) {
	line, _ := json.Marshal(one)
	_, err := file.Write(append([]byte("\n"), line...))
	must(err)
	must(file.Sync())
}

func balance(user, currency string) *big.Rat {
	sum := new(big.Rat)
	for _, one := range books {
		if one.User == user && one.Currency == currency {
			sum.Add(sum, one.Amount)
		}
	}
	return sum
}

// Reads a call that the cashier signed at most five minutes ago.
func verified(request *http.Request) (one call, ok bool) {
	body, _ := io.ReadAll(io.LimitReader(request.Body, 1<<20))
	id, timestamp := request.Header.Get("webhook-id"), request.Header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	wanted := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Split(request.Header.Get("webhook-signature"), " ") {
		ok = ok || hmac.Equal([]byte(given), wanted)
	}
	ok = ok && err == nil && time.Since(time.Unix(seconds, 0)).Abs() <= 5*time.Minute
	return one, ok && json.Unmarshal(body, &one) == nil
}

// A purchase sends `onramp` and `deposit` events. Only the deposit is booked; it may come again with more digits.
func apply(event fields) {
	user, currency, id := event.User_reference_id, event.Currency_code+" "+event.Network, event.Withdrawal_id
	reserved := books["reserve:"+id]
	switch what := event.Kind + " " + event.Status; {
	case what == "deposit succeeded":
		book(booking{"deposit:" + event.Transaction_uuid, user, currency, event.Amount, event.Updated_at})
	case event.Kind != "payout" || id == "" || isBooked("paid:"+id): // Nothing undoes a payment.
	case what == "payout succeeded" && isReserved(id): // The reservation is the debit.
		book(booking{"paid:" + id, user, currency, new(big.Rat), ""})
	case what == "payout succeeded":
		book(booking{"paid:" + id, user, currency, new(big.Rat).Neg(event.Amount), ""})
	case what == "payout failed" && reserved.Key != "":
		book(booking{"return:" + id, reserved.User, reserved.Currency, new(big.Rat).Neg(reserved.Amount), ""})
	case what == "payout failed": // The question may still come: it reserves nothing then.
		book(booking{"decline:" + id, user, currency, new(big.Rat), ""})
	}
}

func isReserved(id string) bool { return isBooked("reserve:"+id) && !isBooked("return:"+id) }

// A repeated question gets the same answer, until the withdrawal has failed or is paid: then it is declined.
func authorize(asked fields) object {
	user, currency, id := asked.User_reference_id, asked.Currency.Currency_code+" "+asked.Currency.Network, asked.Withdrawal_id
	if strings.HasPrefix(id, "test_") { // A test question of `npm run doctor`.
		return object{"decision": "approve"}
	}
	isNew := !isBooked("reserve:"+id) && !isBooked("decline:"+id) && !isBooked("paid:"+id)
	if isNew && asked.Amount.Cmp(balance(user, currency)) <= 0 {
		book(booking{"reserve:" + id, user, currency, new(big.Rat).Neg(asked.Amount), ""})
	} else if isNew {
		book(booking{"decline:" + id, user, currency, new(big.Rat), ""})
	}
	if isReserved(id) && !isBooked("paid:"+id) {
		if asked.Amount.Cmp(postponeAbove) > 0 {
			return object{"decision": "postpone"}
		}
		return object{"decision": "approve"}
	}
	return object{"decision": "decline", "user_message": "Not enough balance."}
}

// Reads the cashier's answer into `into`, and returns its status.
func ask(method, path string, body io.Reader, into any) (int, error) {
	request, _ := http.NewRequest(method, cashierURL+"/api/merchant/"+path, body)
	request.Header = http.Header{"Authorization": {"Bearer " + os.Getenv("MERCHANT_API_KEY")}, "Content-Type": {"application/json"}}
	response, err := (&http.Client{Timeout: 10 * time.Second}).Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode > 299 {
		return response.StatusCode, fmt.Errorf("the cashier answered %s", response.Status)
	}
	return response.StatusCode, json.NewDecoder(response.Body).Decode(into)
}

func launchToken(user string) (int, object) {
	body, _ := json.Marshal(object{"user_reference_id": user})
	var session object
	if _, err := ask("POST", "sessions", bytes.NewReader(body), &session); err != nil {
		return 502, object{"error": err.Error()}
	}
	return 200, object{"launch_token": session["launch_token"]}
}

// Reads one page of the feed; false at its end.
func readFeed() (bool, error) {
	var page struct {
		Events      []struct{ Data fields }
		Next_cursor string
	}
	query := "events?limit=1000"
	if cursor != "" {
		query += "&after=" + url.QueryEscape(cursor)
	}
	status, err := ask("GET", query, nil, &page)
	// `cursor_lost`: a backup of the cashier was restored. Every event comes again, and is booked already.
	if lost := status == http.StatusGone && cursor != ""; err != nil && !lost {
		return false, err
	}
	if cursor == page.Next_cursor {
		return false, nil
	}
	lock.Lock()
	defer lock.Unlock()
	for _, event := range page.Events {
		apply(event.Data)
	}
	cursor = page.Next_cursor
	write(stored{Cursor: &cursor})
	return true, nil
}

// Webhooks are fast, but one that is refused for three days does not come again. The feed tells every change.
func followFeed() {
	for {
		more, err := readFeed()
		if err != nil {
			log.Print("the feed: ", err)
		}
		if !more {
			time.Sleep(2 * time.Second)
		}
	}
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Wallet</title><div id="cashier"></div>
<script src="%s/embed.js"></script>
<script>Cashier.mount('#cashier', { fetchLaunchToken: async () => {
  const response = await fetch('/cashier-token', { method: 'POST' })
  if (!response.ok) throw new Error('status ' + response.status)
  return (await response.json()).launch_token
} })</script>`

func serve(writer http.ResponseWriter, request *http.Request) {
	status, answer, user := 200, object{}, ""
	if cookie, err := request.Cookie("user"); err == nil && userName.MatchString(cookie.Value) {
		user = cookie.Value
	}
	switch route := request.Method + " " + request.URL.Path; route {
	case "GET /":
		fmt.Fprintf(writer, page, cashierURL)
		return
	case "GET /sign-in": // Stands in for your own sign-in.
		user := http.Cookie{Name: "user", Value: request.FormValue("user"), HttpOnly: true, SameSite: http.SameSiteLaxMode, Path: "/"}
		http.SetCookie(writer, &user)
		http.Redirect(writer, request, "/", http.StatusSeeOther)
		return
	case "POST /cashier-token":
		if status = 401; user != "" {
			status, answer = launchToken(user)
		}
	case "GET /balance":
		lock.Lock()
		defer lock.Unlock()
		for _, one := range books {
			if one.User == user {
				answer[one.Currency] = strings.TrimRight(strings.TrimRight(balance(user, one.Currency).FloatString(30), "0"), ".")
			}
		}
	case "POST /webhook", "POST /authorize":
		one, ok := verified(request)
		lock.Lock()
		defer lock.Unlock()
		if !ok {
			status = 401
		} else if route == "POST /authorize" {
			answer = authorize(one.fields)
		} else if one.Type == "transaction.updated" {
			apply(one.Data)
		}
	default:
		status = 404
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(status)
	_ = json.NewEncoder(writer).Encode(answer)
}

func main() {
	data := setting("DATA", "bookings.jsonl")
	lines, _ := os.ReadFile(data)
	for _, line := range bytes.Split(lines, []byte("\n")) {
		var one stored // A line that a crash cut off was not answered, so the cashier repeats its call.
		if json.Unmarshal(line, &one) != nil {
			continue
		}
		if one.Cursor != nil {
			cursor = *one.Cursor
		} else {
			books[one.Key] = one.booking
		}
	}
	var err error
	file, err = os.OpenFile(data, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	must(err)
	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "8080"))
	must(err)
	fmt.Println("listening on http://" + listener.Addr().String())
	go followFeed()
	must(http.Serve(listener, http.HandlerFunc(serve)))
}
