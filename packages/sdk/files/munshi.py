"""Munshi for Python 3.8 or later: one file, no dependencies. Copy it beside your code.

    munshi = Munshi(url, api_key, signing_secret)
    order = munshi.create(
        {"orderType": "Deposit", "amount": "1500.50", "walletType": "ProviderA"},
        idempotency_key="invoice-42-1",  # store it: the same key never creates a second order
    )
    munshi.move(order["orderId"], "Completed")  # in a sandbox
    for event in munshi.events(after=stored):
        handle(event["event"])
        stored = event["next"]

Send amounts as Decimal, text or int. Numbers in answers and events are Decimal.
"""

import hashlib
import hmac
import http.client
import itertools
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal

__all__ = ["Munshi", "MunshiError", "SignatureError", "sign", "verify"]


class MunshiError(Exception):
    """An answer other than success. Branch on status and, for signature errors, on code."""

    def __init__(self, status, body):
        try:
            read = json.loads(body)
        except ValueError:
            read = {}
        self.status = status
        self.code = read.get("code")
        self.fields = read.get("errors") or {}  # messages by field
        self.trace_id = read.get("traceId")  # quote it when you report an error
        self.body = body
        message = read.get("error") or read.get("title") or f"the service answered {status}"
        wrong = [f"{field}: {text}" for field, texts in self.fields.items() for text in texts]
        super().__init__(" ".join([message, *wrong]))


class SignatureError(Exception):
    """A webhook's signature is missing or matches no secret: answer 401."""


def sign(body, secret):
    """The signature of an order's JSON text, with or without a signature in it."""
    fields = json.loads(body, parse_int=str, parse_float=str)
    kept = {
        key.lower(): str(value).lower() if isinstance(value, bool) else value
        for key, value in fields.items()
        if key.lower() != "signature"
        and value not in (None, "")
        and not isinstance(value, (dict, list))
    }
    canonical = "&".join(f"{key}={kept[key]}" for key in sorted(kept, key=str.encode))
    return hashlib.md5((canonical + secret).encode()).hexdigest()


def verify(raw_body, signature, secrets):
    """The event of a webhook, once X-SVC-Signature matches the secret or one of a list of them.

    raw_body: the bytes as received, before any parsing. Raises SignatureError.
    """
    raw = raw_body.encode() if isinstance(raw_body, str) else raw_body
    given = (signature or "").encode()
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = "sha256=" + hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
        if hmac.compare_digest(expected.encode(), given):
            return _read(raw.decode())
    raise SignatureError(
        "the signature is missing or matches none of the signing secrets: compare the raw body, "
        "and pass the secret of the key that X-SVC-Key-Prefix names"
    )


class Munshi:
    """A client of the merchant API.

    signing_secret: the secret of the API key, or a list of it and older ones, for events.
    Lost connections, time-outs, 429 and 5xx are tried again, after growing pauses, with the same
    body and Idempotency-Key; then the last failure is raised: MunshiError or OSError.
    """

    def __init__(self, url, api_key, signing_secret, timeout=15, attempts=4):
        self.url = url.rstrip("/")
        self.api_key = api_key
        self.secrets = [signing_secret] if isinstance(signing_secret, str) else list(signing_secret)
        self.timeout = timeout
        self.attempts = attempts

    def create(self, order, idempotency_key=None):
        """Creates an order once; the key is random by default."""
        body = _signed(order, self.secrets[0])
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return self._request("orders", body, headers)["data"]

    def status(self, order_id):
        """An order by its orderId or orderReference."""
        return self._request(f"orders/{_quoted(order_id)}/status")["data"]

    def status_by_reference(self, merchant_order_ref):
        """The latest order with this reference of yours."""
        query = urllib.parse.urlencode({"merchantOrderRef": merchant_order_ref})
        return self._request(f"orders/status?{query}")["data"]

    def balance(self):
        return self._request("orders/balance")["data"]

    def move(self, order_id, to, reason=None):
        """Moves an order of a sandbox to any status that it can reach; answers its status."""
        body = {"to": to, **({} if reason is None else {"reason": reason})}
        return self._request(f"sandbox/orders/{_quoted(order_id)}", json.dumps(body))["data"]

    def events(self, after=None, wait=25):
        """Every outcome from `after` on: what webhooks bring, without a receiver.

        after: "now", the `next` of the last event that you handled, or None for the oldest kept.
        wait: seconds for which an answer is held. 0 ends the loop after the last event; otherwise
        it has no end, and goes on after lost connections.
        Yields {event, deliveryId, headers, body, next}. An event may come again: recognise it by
        orderId and eventType. Raises SignatureError where no secret matches.
        """
        while True:
            held = 0 if after == "now" else wait
            query = {"wait": held, **({} if after is None else {"after": after})}
            page = self._request(f"events?{urllib.parse.urlencode(query)}", held=held, patient=True)
            for at, delivery in enumerate(page["data"]):
                signature = delivery["headers"].get("X-SVC-Signature")
                event = verify(delivery["body"], signature, self.secrets)
                # The cursor is the page's: until its last event is handled, the page comes again.
                last = at == len(page["data"]) - 1
                yield {**delivery, "event": event, "next": page["next"] if last else after}
            if wait == 0 and not page["data"]:
                return
            after = page["next"]

    def resend_events(self, since):
        """Sends outcomes since an ISO 8601 time to the callback URLs again; how many orders."""
        answer = self._request("events/resend", json.dumps({"since": since}))
        return int(answer["data"]["orders"])

    def _request(self, path, body=None, headers=None, held=0, patient=False):
        request = urllib.request.Request(
            f"{self.url}/api/merchant/{path}",
            data=None if body is None else body.encode(),
            headers={
                "SVC-API-Key": self.api_key,
                "Content-Type": "application/json",
                **(headers or {}),
            },
        )
        for attempt in itertools.count(1):
            pause = min(30, 0.5 * 2 ** min(attempt - 1, 6))
            try:
                with urllib.request.urlopen(request, timeout=self.timeout + held) as answer:
                    return _read(answer.read().decode())
            except urllib.error.HTTPError as refused:
                error = MunshiError(refused.code, refused.read().decode(errors="replace"))
                if refused.code not in (429, 500, 502, 503, 504):
                    raise error from None
                asked = refused.headers.get("Retry-After", "")
                pause = min(30, int(asked)) if asked.isdigit() else pause
            except (OSError, http.client.HTTPException) as lost:
                error = lost
            if attempt >= self.attempts and not patient:
                raise error
            time.sleep(pause * (1 + random.random() / 2))


def _signed(order, secret):
    """The JSON text of an order with its signature; the amount is written as it was given."""
    amount = order.get("amount")
    text = f"{amount:f}" if isinstance(amount, Decimal) else str(amount)
    if isinstance(amount, float) or not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        raise TypeError(f"amount must be a Decimal, text such as '1500.50' or an int: {amount!r}")
    rest = json.dumps({key: value for key, value in order.items() if key != "amount"})[1:]
    body = f'{{"amount": {text}' + (rest if rest == "}" else f", {rest}")
    return f'{body[:-1]}, "signature": "{sign(body, secret)}"}}'


def _read(text):
    return json.loads(text, parse_int=Decimal, parse_float=Decimal)


def _quoted(text):
    return urllib.parse.quote(text, safe="")
