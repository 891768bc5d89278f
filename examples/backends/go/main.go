// A merchant's backend in Go 1.19 or later, with the standard library alone. Books are a file: one booking a line,
// each key once.
package main

import (
	"bufio"
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
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

type booking struct{ Key, User, Currency, Amount string }

type currency struct {
	Code    string `json:"currency_code"`
	Network string `json:"network"`
}

// What an event's data and an authorization request have in common, and what each has besides.
type call struct {
	Type string `json:"type"`
	Data struct {
		Kind, Status, Amount string
		Transaction          string `json:"transaction_uuid"`
		Withdrawal           string `json:"withdrawal_id"`
		User                 string `json:"user_reference_id"`
		currency
	} `json:"data"`
	Withdrawal string   `json:"withdrawal_id"`
	User       string   `json:"user_reference_id"`
	Amount     string   `json:"amount"`
	Currency   currency `json:"currency"`
}

var (
	cashierURL = os.Getenv("CASHIER_URL")
	key, _     = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("MERCHANT_WEBHOOK_SECRET"), "whsec_"))
	userCookie = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)
	lock       sync.Mutex // One change of the books at a time.
	books      = map[string]booking{}
	file       *os.File
)

// Does nothing where the key was booked before. On disk before it counts.
func book(one booking) {
	if _, known := books[one.Key]; known {
		return
	}
	line, _ := json.Marshal(one)
	if _, err := file.Write(append([]byte{'\n'}, line...)); err != nil {
		panic(err)
	}
	if err := file.Sync(); err != nil {
		panic(err)
	}
	books[one.Key] = one
}

func isBooked(key string) bool { _, known := books[key]; return known }

// Exact: no floating point.
func decimal(text string) *big.Rat {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("not a decimal: " + text)
	}
	return value
}

func balance(user, name string) *big.Rat {
	sum := new(big.Rat)
	for _, one := range books {
		if one.User == user && one.Currency == name {
			sum.Add(sum, decimal(one.Amount))
		}
	}
	return sum
}

// Reads a call that the cashier signed, at most five minutes ago.
func verified(request *http.Request) (one call, ok bool) {
	body, err := io.ReadAll(io.LimitReader(request.Body, 1<<20))
	timestamp := request.Header.Get("webhook-timestamp")
	seconds, fault := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Since(time.Unix(seconds, 0)); err != nil || fault != nil || age > 5*time.Minute || age < -5*time.Minute {
		return one, false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", request.Header.Get("webhook-id"), timestamp, body)
	wanted := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Split(request.Header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), wanted) {
			return one, json.Unmarshal(body, &one) == nil
		}
	}
	return one, false
}

// A purchase brings `onramp` and its `deposit`: only the deposit is booked.
func apply(one call) {
	data, name := one.Data, one.Data.Code+" "+one.Data.Network
	reserved, returned := "reserve:"+data.Withdrawal, "return:"+data.Withdrawal
	switch {
	case data.Kind == "deposit" && data.Status == "succeeded":
		book(booking{"deposit:" + data.Transaction, data.User, name, data.Amount})
	case data.Kind == "payout" && data.Status == "failed" && isBooked(reserved):
		book(booking{returned, data.User, name, data.Amount})
	case data.Kind == "payout" && data.Status == "succeeded" && isBooked(returned):
		book(booking{"paid:" + data.Withdrawal, data.User, name, "-" + data.Amount})
	}
}

// The same question gets the same answer.
func authorize(one call) map[string]string {
	name, reserved, declined := one.Currency.Code+" "+one.Currency.Network, "reserve:"+one.Withdrawal, "decline:"+one.Withdrawal
	if !isBooked(reserved) && !isBooked(declined) {
		if decimal(one.Amount).Cmp(balance(one.User, name)) <= 0 {
			book(booking{reserved, one.User, name, "-" + one.Amount})
		} else {
			book(booking{declined, one.User, name, "0"})
		}
	}
	if isBooked(reserved) {
		return map[string]string{"decision": "approve"}
	}
	return map[string]string{"decision": "decline", "user_message": "Not enough balance."}
}

func launchToken(user string) (string, error) {
	body, _ := json.Marshal(map[string]string{"user_reference_id": user})
	request, _ := http.NewRequest("POST", cashierURL+"/api/merchant/sessions", bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MERCHANT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := (&http.Client{Timeout: 10 * time.Second}).Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("the cashier answered %d", response.StatusCode)
	}
	var session struct {
		Token string `json:"launch_token"`
	}
	return session.Token, json.NewDecoder(response.Body).Decode(&session)
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Wallet</title><div id="cashier"></div>
<script src="%s/embed.js"></script>
<script>Cashier.mount('#cashier', { fetchLaunchToken: async () => {
  const response = await fetch('/cashier-token', { method: 'POST' })
  if (!response.ok) throw new Error('status ' + response.status)
  return (await response.json()).launch_token
} })</script>`

func signedIn(request *http.Request) string {
	cookie, err := request.Cookie("user")
	if err != nil || !userCookie.MatchString(cookie.Value) {
		return ""
	}
	return cookie.Value
}

func answer(writer http.ResponseWriter, status int, body any) {
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(status)
	_ = json.NewEncoder(writer).Encode(body)
}

// Answers a signed call with the books locked; what is booked is on disk before the answer.
func signed(handle func(call) any) http.HandlerFunc {
	return func(writer http.ResponseWriter, request *http.Request) {
		one, ok := verified(request)
		if !ok {
			answer(writer, http.StatusUnauthorized, struct{}{})
			return
		}
		lock.Lock()
		defer lock.Unlock()
		answer(writer, http.StatusOK, handle(one))
	}
}

func main() {
	var err error
	if file, err = os.OpenFile(os.Getenv("DATA"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600); err != nil {
		log.Fatal(err)
	}
	// A line that a crash cut off was not answered, and comes again.
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var one booking
		if json.Unmarshal(lines.Bytes(), &one) == nil {
			books[one.Key] = one
		}
	}
	http.HandleFunc("/", func(writer http.ResponseWriter, _ *http.Request) { fmt.Fprintf(writer, page, cashierURL) })
	http.HandleFunc("/sign-in", func(writer http.ResponseWriter, request *http.Request) { // Instead of your own sign-in.
		user := http.Cookie{Name: "user", Value: request.FormValue("user"), HttpOnly: true, SameSite: http.SameSiteLaxMode, Path: "/"}
		http.SetCookie(writer, &user)
		http.Redirect(writer, request, "/", http.StatusSeeOther)
	})
	http.HandleFunc("/cashier-token", func(writer http.ResponseWriter, request *http.Request) {
		user := signedIn(request)
		if user == "" || request.Method != "POST" {
			answer(writer, http.StatusUnauthorized, struct{}{})
		} else if token, err := launchToken(user); err != nil {
			answer(writer, http.StatusBadGateway, map[string]string{"error": err.Error()})
		} else {
			answer(writer, http.StatusOK, map[string]string{"launch_token": token})
		}
	})
	http.HandleFunc("/balance", func(writer http.ResponseWriter, request *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		user, sums := signedIn(request), map[string]string{}
		for _, one := range books {
			if one.User == user {
				sums[one.Currency] = strings.TrimRight(strings.TrimRight(balance(user, one.Currency).FloatString(30), "0"), ".")
			}
		}
		answer(writer, http.StatusOK, sums)
	})
	http.HandleFunc("/webhook", signed(func(one call) any {
		if one.Type == "transaction.updated" {
			apply(one)
		}
		return struct{}{}
	}))
	http.HandleFunc("/authorize", signed(func(one call) any { return authorize(one) }))
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on http://" + listener.Addr().String())
	log.Fatal(http.Serve(listener, nil))
}
