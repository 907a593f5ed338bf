import { once } from 'node:events';

/** Looks at the heap of a process that runs with `--inspect`. */
export async function openHeap(port: number): Promise<{
  /** Bytes that are alive, after a collection. */
  alive(): Promise<number>;
  close(): void;
}> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as readonly {
    readonly webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
  await once(socket, 'open');
  const asked = new Map<number, (result: { readonly usedSize?: number }) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    asked.get(id)?.(result);
    asked.delete(id);
  });
  let number = 0;
  const ask = (method: string) =>
    new Promise<{ readonly usedSize?: number }>((resolve) => {
      asked.set(++number, resolve);
      socket.send(JSON.stringify({ id: number, method }));
    });
  return {
    async alive() {
      await ask('HeapProfiler.collectGarbage');
      return (await ask('Runtime.getHeapUsage')).usedSize ?? 0;
    },
    close: () => socket.close(),
  };
}
