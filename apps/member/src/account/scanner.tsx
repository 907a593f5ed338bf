import { useEffect, useRef, useState } from 'preact/hooks';
import { Sheet } from '../parts/sheet.tsx';
import { words } from './words.ts';

const LOOK_MS = 200;

interface ScannerProps {
  onCode(content: string): void;
  onClose(): void;
}

/** The camera at the back of the phone, until it has seen a QR code. */
export function Scanner({ onCode, onClose }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [denied, setDenied] = useState(false);
  useEffect(() => {
    const stopped = new AbortController();
    void scan(video.current as HTMLVideoElement, stopped.signal).then(
      (content) => {
        if (content !== null) onCode(content);
      },
      () => setDenied(true),
    );
    return () => stopped.abort();
  }, []);
  return (
    <Sheet title={words.value.scan} onClose={onClose}>
      {denied ? (
        <p class="note warn" role="alert">
          {words.value.noCamera}
        </p>
      ) : (
        <>
          <div class="viewfinder">
            <video ref={video} muted playsInline />
          </div>
          <p class="hint centre">{words.value.scanning}</p>
        </>
      )}
    </Sheet>
  );
}

/** Null: it was stopped before. Throws where there is no camera, or it is not allowed. */
async function scan(video: HTMLVideoElement, stopped: AbortSignal): Promise<string | null> {
  const { readCode } = await import('./read-code.ts'); // first: a camera that is on would stay on
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  stopped.addEventListener('abort', stop);
  if (stopped.aborted) stop();
  video.srcObject = stream;
  await video.play();
  while (!stopped.aborted) {
    const content = await readCode(video, video.videoWidth, video.videoHeight);
    if (content !== null && !stopped.aborted) {
      stop();
      return content;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return null;
}
