import { useState } from 'preact/hooks';
import { hasUpdate, takeUpdate } from '../updates.ts';
import { supportReport, version } from './report.ts';
import { words } from './words.ts';

/** Which version this is, and what support has to know of this phone. */
export function Help() {
  const [report, setReport] = useState<string | undefined>();
  const copy = async () => {
    const made = await supportReport();
    setReport(made);
    await navigator.clipboard.writeText(made).catch(() => {});
  };
  return (
    <div class="card stack">
      <p class="pair-line">
        <span>{words.value.version}</span>
        <bdi dir="ltr">{version()}</bdi>
      </p>
      {hasUpdate() ? (
        <>
          <p class="hint">{words.value.update}</p>
          <button type="button" class="secondary" onClick={takeUpdate}>
            {words.value.updateNow}
          </button>
        </>
      ) : null}
      <button type="button" class="secondary" onClick={() => void copy()}>
        {words.value.report}
      </button>
      <p class="hint" role="status">
        {report === undefined ? words.value.reportLead : words.value.reportCopied}
      </p>
      {report === undefined ? null : (
        <details>
          <summary>{words.value.reportRead}</summary>
          <pre dir="ltr" lang="en">
            {report}
          </pre>
        </details>
      )}
    </div>
  );
}
