<?php

declare(strict_types=1);

/**
 * Munshi for PHP 7.4 or later: one file, no dependencies. Copy it beside your code.
 *
 *     $munshi = new Munshi($url, $apiKey, $signingSecret);
 *     $order = $munshi->create(
 *         ['orderType' => 'Deposit', 'amount' => '1500.50', 'walletType' => 'ProviderA'],
 *         'invoice-42-1' // store it: the same key never creates a second order
 *     );
 *     $munshi->move($order['orderId'], 'Completed'); // in a sandbox
 *     foreach ($munshi->events($stored) as $event) {
 *         handle($event['event']);
 *         $stored = $event['next'];
 *     }
 *
 * Send amounts as text or int. Numbers in answers and events are text, exact to the digit.
 */
final class Munshi
{
    private string $url;
    private string $apiKey;
    /** @var string[] */
    private array $secrets;
    private int $timeout;
    private int $attempts;

    /**
     * Lost connections, time-outs, 429 and 5xx are tried again, after growing pauses, with the same
     * body and Idempotency-Key; then a MunshiError is thrown.
     *
     * @param string|string[] $signingSecret that of the API key, or it and older ones, for events
     */
    public function __construct(
        string $url,
        string $apiKey,
        $signingSecret,
        int $timeout = 15,
        int $attempts = 4
    ) {
        $this->url = rtrim($url, '/');
        $this->apiKey = $apiKey;
        $this->secrets = (array) $signingSecret;
        $this->timeout = $timeout;
        $this->attempts = $attempts;
    }

    /** Creates an order once; the key is random by default. */
    public function create(array $order, ?string $idempotencyKey = null): array
    {
        $headers = ['Idempotency-Key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16)))];
        return $this->request('orders', $this->signed($order), $headers)['data'];
    }

    /** An order by its orderId or orderReference. */
    public function status(string $orderId): array
    {
        return $this->request('orders/' . rawurlencode($orderId) . '/status')['data'];
    }

    /** The latest order with this reference of yours. */
    public function statusByReference(string $merchantOrderRef): array
    {
        $query = 'merchantOrderRef=' . rawurlencode($merchantOrderRef);
        return $this->request("orders/status?$query")['data'];
    }

    public function balance(): array
    {
        return $this->request('orders/balance')['data'];
    }

    /** Moves an order of a sandbox to any status that it can reach; answers its status. */
    public function move(string $orderId, string $to, ?string $reason = null): array
    {
        $body = ['to' => $to] + ($reason === null ? [] : ['reason' => $reason]);
        $path = 'sandbox/orders/' . rawurlencode($orderId);
        return $this->request($path, self::json($body))['data'];
    }

    /**
     * Every outcome from $after on: what webhooks bring, without a receiver.
     * Yields ['event', 'deliveryId', 'headers', 'body', 'next']. An event may come again:
     * recognise it by orderId and eventType. Throws MunshiSignatureError where no secret matches.
     *
     * @param string|null $after 'now', the 'next' of the last event that you handled, or null for
     *                           the oldest kept
     * @param int         $wait  seconds for which an answer is held. 0 ends the loop after the last
     *                           event; otherwise it has no end, and goes on after lost connections
     */
    public function events(?string $after = null, int $wait = 25): Generator
    {
        while (true) {
            $held = $after === 'now' ? 0 : $wait;
            $query = ['wait' => $held] + ($after === null ? [] : ['after' => $after]);
            $page = $this->request('events?' . http_build_query($query), null, [], $held, true);
            $last = count($page['data']) - 1;
            foreach ($page['data'] as $at => $delivery) {
                $signature = $delivery['headers']['X-SVC-Signature'] ?? null;
                $event = self::verify($delivery['body'], $signature, $this->secrets);
                // The cursor is the page's: until its last event is handled, the page comes again.
                $next = $at === $last ? $page['next'] : $after;
                yield ['event' => $event, 'next' => $next] + $delivery;
            }
            if ($wait === 0 && $last < 0) {
                return;
            }
            $after = $page['next'];
        }
    }

    /** Sends outcomes since an ISO 8601 time to the callback URLs again; how many orders. */
    public function resendEvents(string $since): int
    {
        $answer = $this->request('events/resend', self::json(['since' => $since]));
        return (int) $answer['data']['orders'];
    }

    /** The signature of an order's JSON text, with or without a signature in it. */
    public static function sign(string $body, string $secret): string
    {
        $kept = [];
        foreach (self::read($body) as $key => $value) {
            // Names of ours are ASCII: Debian's PHP has no mbstring unless it is asked for.
            $key = function_exists('mb_strtolower')
                ? mb_strtolower((string) $key, 'UTF-8')
                : strtolower((string) $key);
            if ($key === 'signature' || $value === null || $value === '' || is_array($value)) {
                continue;
            }
            $kept[$key] = is_bool($value) ? ($value ? 'true' : 'false') : $value;
        }
        ksort($kept, SORT_STRING);
        $pairs = array_map(fn ($key, $value) => "$key=$value", array_keys($kept), $kept);
        return md5(implode('&', $pairs) . $secret);
    }

    /**
     * The event of a webhook, once X-SVC-Signature matches one of the secrets.
     * Throws MunshiSignatureError.
     *
     * @param string          $rawBody   as received, before any parsing: php://input
     * @param string|null     $signature $_SERVER['HTTP_X_SVC_SIGNATURE'] ?? null
     * @param string|string[] $secrets
     */
    public static function verify(string $rawBody, ?string $signature, $secrets): array
    {
        foreach ((array) $secrets as $secret) {
            $expected = 'sha256=' . hash_hmac('sha256', $rawBody, $secret);
            if (hash_equals($expected, $signature ?? '')) {
                return self::read($rawBody);
            }
        }
        throw new MunshiSignatureError(
            'the signature is missing or matches none of the signing secrets: compare the raw '
            . 'body, and pass the secret of the key that X-SVC-Key-Prefix names'
        );
    }

    private function request(
        string $path,
        ?string $body = null,
        array $headers = [],
        int $held = 0,
        bool $patient = false
    ): array {
        $options = [
            'method' => $body === null ? 'GET' : 'POST',
            'header' => array_merge(
                ["SVC-API-Key: {$this->apiKey}", 'Content-Type: application/json'],
                $headers
            ),
            'content' => $body ?? '',
            'timeout' => $this->timeout + $held,
            'ignore_errors' => true,
            'follow_location' => 0,
            'protocol_version' => 1.1,
        ];
        for ($attempt = 1; ; $attempt++) {
            [$status, $answer, $asked] = $this->send("{$this->url}/api/merchant/$path", $options);
            if ($status >= 200 && $status < 300) {
                return self::read($answer);
            }
            $again = in_array($status, [0, 429, 500, 502, 503, 504], true);
            if (!$again || ($attempt >= $this->attempts && !$patient)) {
                throw new MunshiError($status, $answer);
            }
            $seconds = min(30, $asked ?? 0.5 * 2 ** min($attempt - 1, 6));
            usleep((int) ($seconds * (1 + mt_rand() / mt_getrandmax() / 2) * 1e6));
        }
    }

    /** Status, body and Retry-After; status 0 and the reason where no whole answer came. */
    private function send(string $url, array $options): array
    {
        $stream = @fopen($url, 'rb', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            return [0, error_get_last()['message'] ?? 'no connection', null];
        }
        $body = stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        if ($body === false || $meta['timed_out']) {
            return [0, 'the answer did not come in time', null];
        }
        $head = implode("\n", $meta['wrapper_data']);
        preg_match('#^HTTP/\S+ (\d+)#', $head, $status);
        $asked = preg_match('#^Retry-After: *(\d+)$#mi', $head, $found) ? (int) $found[1] : null;
        return [(int) $status[1], $body, $asked];
    }

    /** The JSON text of an order with its signature; the amount is written as it was given. */
    private function signed(array $order): string
    {
        $amount = $order['amount'] ?? null;
        $text = is_int($amount) || is_string($amount) ? (string) $amount : '';
        if (!preg_match('/^\d+(\.\d+)?$/D', $text)) {
            throw new InvalidArgumentException("amount must be text such as '1500.50' or an int");
        }
        unset($order['amount']);
        $rest = $order === [] ? '}' : ',' . substr(self::json($order), 1);
        $body = "{\"amount\":$text$rest";
        $signature = self::sign($body, $this->secrets[0]);
        return substr($body, 0, -1) . ",\"signature\":\"$signature\"}";
    }

    private static function json(array $value): string
    {
        return json_encode($value, JSON_THROW_ON_ERROR);
    }

    /** JSON with its numbers as text: json_decode would read them as floats. */
    private static function read(string $json): array
    {
        $string = '"(?:[^"\\\\]++|\\\\.)*+"(*SKIP)(*FAIL)';
        $number = '-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?';
        $quoted = preg_replace("/$string|$number/", '"$0"', $json);
        return json_decode($quoted, true, 512, JSON_THROW_ON_ERROR);
    }
}

/** An answer other than success. Branch on $status and, for signature errors, on $errorCode. */
final class MunshiError extends RuntimeException
{
    /** 0: no answer came. */
    public int $status;
    public ?string $errorCode;
    /** Messages by field. */
    public array $fields;
    /** Quote it when you report an error. */
    public ?string $traceId;
    public string $body;

    public function __construct(int $status, string $body)
    {
        $read = json_decode($body, true);
        $this->status = $status;
        $this->errorCode = $read['code'] ?? null;
        $this->fields = $read['errors'] ?? [];
        $this->traceId = $read['traceId'] ?? null;
        $this->body = $body;
        $otherwise = $status === 0 ? $body : "the service answered $status";
        $message = $read['error'] ?? $read['title'] ?? $otherwise;
        foreach ($this->fields as $field => $texts) {
            $message .= " $field: " . implode(' ', $texts);
        }
        parent::__construct($message);
    }
}

/** A webhook's signature is missing or matches no secret: answer 401. */
final class MunshiSignatureError extends RuntimeException
{
}
