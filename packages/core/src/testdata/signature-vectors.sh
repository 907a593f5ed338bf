#!/bin/sh
# Prints signed bodies as JSON, made with sort, paste and openssl only, so that they check this project's code with none of it.
# Remake: sh signature-vectors.sh > signature-vectors.json
set -eu
export LC_ALL=C

secret='sksec_NotASecret0123456789NotASecret0123456789'
separator=''
tab=$(printf '\t')

json_text() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }

# vector NAME BODY [LOWERED-KEY VALUE]...: BODY is exactly what is sent, with @ where the signature goes; the pairs are what
# the rules keep of it, in any order, decoded by hand.
vector() {
  name=$1 body=$2
  shift 2
  canonical=$(while [ $# -gt 0 ]; do printf '%s\t%s\n' "$1" "$2"; shift 2; done | sort -s -t "$tab" -k 1,1 | sed "s/$tab/=/" | paste -s -d '&' -)
  signature=$(printf '%s' "$canonical$secret" | openssl md5 -r | cut -c 1-32)
  body="${body%%@*}$signature${body#*@}"
  printf '%s\n    {\n' "$separator"
  printf '      "name": "%s",\n' "$(json_text "$name")"
  printf '      "body": "%s",\n' "$(json_text "$body")"
  printf '      "canonical": "%s",\n' "$(json_text "$canonical")"
  printf '      "signature": "%s"\n    }' "$signature"
  separator=','
}

printf '{\n  "secret": "%s",\n  "vectors": [' "$secret"

vector 'plain deposit' \
  '{"orderType":"Deposit","amount":1500,"walletType":"ProviderA","signature":"@"}' \
  ordertype Deposit amount 1500 wallettype ProviderA

vector 'decimals as written: 1500.50' \
  '{"orderType":"Deposit","amount":1500.50,"walletType":"ProviderA","signature":"@"}' \
  ordertype Deposit amount 1500.50 wallettype ProviderA

vector 'decimals as written: 1500.5' \
  '{"orderType":"Deposit","amount":1500.5,"walletType":"ProviderA","signature":"@"}' \
  ordertype Deposit amount 1500.5 wallettype ProviderA

vector 'numbers that a double cannot hold, zero, minus zero, exponents' \
  '{"amount":99999999999999.9999,"a":0,"b":-0,"c":1E+3,"d":1.0e-2,"e":-0.10,"signature":"@"}' \
  amount 99999999999999.9999 a 0 b -0 c 1E+3 d 1.0e-2 e -0.10

vector 'Urdu, Hindi and emoji in values' \
  '{"orderType":"Withdrawal","amount":250,"walletType":"ProviderB","customerAccountNumber":"03001234567","customerAccountName":"محمد علی","merchantOrderRef":"ऑर्डर 🛒","signature":"@"}' \
  ordertype Withdrawal amount 250 wallettype ProviderB customeraccountnumber 03001234567 customeraccountname 'محمد علی' merchantorderref 'ऑर्डर 🛒'

vector 'escapes: \/ \u0627 \" \\ and a surrogate pair' \
  '{"callbackUrl":"https:\/\/shop.example\/hook","customerAccountName":"\u0627\u0644\u06CC","metadata":"{\"a\":\"b\\c\"}","customerReference":"\ud83d\ude00","signature":"@"}' \
  callbackurl 'https://shop.example/hook' customeraccountname 'الی' metadata '{"a":"b\c"}' customerreference '😀'

vector 'escapes in keys' \
  '{"order\u0054ype":"Deposit","am\u006funt":5,"\u0073ignature":"@"}' \
  ordertype Deposit amount 5

vector 'enums as integers' \
  '{"orderType":1,"amount":10,"walletType":6,"currency":0,"signature":"@"}' \
  ordertype 1 amount 10 wallettype 6 currency 0

vector 'booleans' \
  '{"orderType":"Deposit","express":true,"gift":false,"signature":"@"}' \
  ordertype Deposit express true gift false

vector 'null, empty string, object and array are dropped; a space, 0 and the word null are not' \
  '{"merchantOrderRef":null,"customerReference":"","cart":{"n":1,"signature":"x"},"items":[1,"a",{}],"none":{},"space":" ","zero":0,"word":"null","signature":"@"}' \
  space ' ' zero 0 word null

vector 'unknown fields are signed' \
  '{"orderType":"Deposit","note":"keep me","amount":1,"__proto__":"p","constructor":"c","toString":"t","signature":"@"}' \
  ordertype Deposit note 'keep me' amount 1 __proto__ p constructor c tostring t

vector 'keys in mixed case, the signature key too' \
  '{"SIGNATURE":"@","WalletType":"TillID","ORDERTYPE":"Withdrawal","aMoUnT":3}' \
  wallettype TillID ordertype Withdrawal amount 3

vector 'look-alike keys are lowered by Unicode: the Kelvin sign is k, the long s stays' \
  '{"callbac\u212aUrl":"https://shop.example","ſignature":"signed","signature":"@"}' \
  callbackurl 'https://shop.example' 'ſignature' signed

vector 'keys sort by bytes: digits, underscore and letters, a prefix first' \
  '{"amountX":1,"amount-x":2,"amount":3,"amount_x":4,"amount1":5,"amount.x":6,"Zebra":7,"apple":8,"10":9,"9":10,"signature":"@"}' \
  amountx 1 amount-x 2 amount 3 amount_x 4 amount1 5 amount.x 6 zebra 7 apple 8 10 9 9 10

vector 'keys sort by UTF-8 bytes, not by UTF-16 units or by a locale' \
  '{"😀":1,"ａ":2,"é":3,"z":4,"ا":5,"e":6,"\ue000":7,"𐐨":8,"signature":"@"}' \
  '😀' 1 'ａ' 2 'é' 3 z 4 'ا' 5 e 6 "$(printf '\356\200\200')" 7 '𐐨' 8

vector 'a URL with the name of a field that is sent too' \
  '{"amount":5,"callbackUrl":"https://shop.example/?a=1&currency=PKR","currency":"PKR","signature":"@"}' \
  amount 5 callbackurl 'https://shop.example/?a=1&currency=PKR' currency PKR

vector 'metadata and a reference with = and &' \
  '{"merchantOrderRef":"A & B = C","metadata":"user=7&plan=gold","amount":5,"signature":"@"}' \
  merchantorderref 'A & B = C' metadata 'user=7&plan=gold' amount 5

vector 'white space between tokens, an empty key' \
  '  { "" : "blank" ,  "a-b" : "c&d" , "amount"  :  7.0 , "signature" : "@" }  ' \
  '' blank 'a-b' 'c&d' amount 7.0

vector 'nothing but the signature' '{"signature":"@"}'

printf '\n  ]\n}\n'
