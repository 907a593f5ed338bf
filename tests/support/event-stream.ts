/** An open stream of server-sent events, and what it has received. */
export interface EventStream {
  readonly status: number;
  /** All that has come, as text. */
  text(): string;
  /** The data of every event that has come, by the order of their coming. */
  data(): readonly Record<string, unknown>[];
  ended(): boolean;
  close(): void;
}

/** Opens it and has read its first lines, so that it receives what happens from now on. */
export async function openEventStream(
  url: string,
  headers: Record<string, string>,
): Promise<EventStream> {
  const leave = new AbortController();
  const response = await fetch(url, { headers, signal: leave.signal });
  let text = '';
  let ended = false;
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  const read = async () => {
    const part = await reader.read();
    text += part.value ?? '';
    return part.done;
  };
  const readOn = async () => {
    while (!(await read()));
  };
  ended = await read();
  readOn()
    .catch(() => {}) // the reader left
    .finally(() => (ended = true));
  return {
    status: response.status,
    text: () => text,
    data: () =>
      [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data as string) as never),
    ended: () => ended,
    close: () => leave.abort(),
  };
}
