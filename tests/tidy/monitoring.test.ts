import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesOf, read } from './sources.ts';

/** The labels of each metric, as docs/metrics.md has them, which a test holds to the service. */
const METRICS = new Map(
  [...read('docs/metrics.md').matchAll(/^\| `(munshi_\w+)` \| (\w+)([^|]*)\|/gm)].map(
    ([, name, type, labels = '']) => [
      name as string,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label as string) },
    ],
  ),
);
/** Labels that Prometheus adds, and those of histograms. */
const OF_PROMETHEUS = ['instance', 'job', 'le'];

const rules = read('deploy/prometheus/rules.yml');
const alerts = [...rules.matchAll(/- alert: (\w+)\n([\s\S]*?)(?=\n *- alert:|\n\n|$)/g)].map(
  ([, name, body]) => ({ name: name as string, body: body as string }),
);
const dashboards = filesOf('deploy/grafana/*.json').map((file) => ({
  file,
  board: JSON.parse(read(file)) as Board,
}));

interface Board {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly id: number;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit?: string;
      readonly thresholds?: { readonly steps: readonly unknown[] };
    };
  };
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
}

/** What an expression asks for that no process exports. */
function unknownOf(expression: string): string[] {
  const plain = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...plain.matchAll(/\b(munshi_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, used = '', within]) => {
    const metric = METRICS.get(used) ?? histogram(used.replace(/_(bucket|sum|count)$/, ''));
    if (metric === undefined) return [used];
    const labels = [...(within ?? '').matchAll(/(\w+)\s*(?:=|!=|=~|!~)/g)].map(([, name]) => name);
    return labels
      .filter((label) => ![...metric.labels, ...OF_PROMETHEUS].includes(label as string))
      .map((label) => `${used}{${label}}`);
  });
}

function histogram(name: string) {
  const metric = METRICS.get(name);
  return metric?.type === 'histogram' ? metric : undefined;
}

describe('the alerts', () => {
  test('ask for metrics and labels that there are', () => {
    expect(alerts.length).toBeGreaterThan(20);
    expect(METRICS.size).toBeGreaterThan(40);
    expect(alerts.flatMap(({ body }) => unknownOf(body))).toEqual([]);
    expect(unknownOf('rate(munshi_orders_ended_total_count{kind="x"}[5m]) + munshi_gone')).toEqual([
      'munshi_orders_ended_total_count',
      'munshi_gone',
    ]);
  });

  test('each have a runbook, with what it means, a first look, what to do and what never to do', () => {
    const pages = filesOf('docs/runbooks/*.md').map((file) => path.basename(file, '.md'));
    expect(pages.filter((page) => page !== 'README').sort()).toEqual(
      alerts.map(({ name }) => name).sort(),
    );
    for (const { name, body } of alerts) {
      expect(body).toContain(`runbook_url: runbooks/${name}.md`);
      const headings = read(`docs/runbooks/${name}.md`).match(/^#+ .*$/gm);
      expect(headings).toEqual([`# ${name}`, '## First look', '## What to do', '## Never']);
    }
  });

  test('stand in the list of runbooks with the severity they have', () => {
    const listed = [
      ...read('docs/runbooks/README.md').matchAll(/^\| \[(\w+)\]\(\1\.md\) \| (page|ticket) \|/gm),
    ].map(([, name, severity]) => `${name} ${severity}`);
    expect(listed).toEqual(
      alerts.map(({ name, body }) => `${name} ${/severity: (\w+)/.exec(body)?.[1]}`),
    );
  });

  test('of runbooks and dashboards ask for metrics that there are, too', () => {
    const pages = filesOf('docs/**/*.md', 'deploy/**/*.md');
    const asked = pages.flatMap((file) =>
      [...read(file).matchAll(/`([^`]*\bmunshi_[^`]*)`/g)].map(([, code]) => code as string),
    );
    expect(asked.length).toBeGreaterThan(60);
    const ofTheDatabase = /^munshi_(owner|app|cells$|retention$|retention_password$|verify$)/;
    expect(asked.flatMap(unknownOf).filter((name) => !ofTheDatabase.test(name))).toEqual([]);
  });
});

describe('the dashboards', () => {
  test.each(dashboards)('$file asks for metrics that there are', ({ board }) => {
    const asked = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(asked.length).toBeGreaterThan(8);
    expect(asked.flatMap(unknownOf)).toEqual([]);
    const alertNames = alerts.map(({ name }) => name);
    const named = board.panels.flatMap(
      ({ description = '' }) => description.match(/\bMunshi[A-Z]\w+/g) ?? [],
    );
    expect(named.filter((name) => !alertNames.includes(name))).toEqual([]);
  });

  test.each(dashboards)(
    '$file says of each panel what it shows, in which unit, and where',
    ({ board }) => {
      for (const { type, title, description, fieldConfig, gridPos } of board.panels) {
        expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
        if (type === 'row') continue;
        expect(description, title).toBeTruthy();
        expect(fieldConfig?.defaults.unit, title).toBeTruthy();
      }
    },
  );

  test.each(dashboards)(
    '$file has no panel over another, and distinguishes series',
    ({ board }) => {
      const { panels } = board;
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      for (const { type, title, targets = [], fieldConfig } of panels) {
        if (type === 'row') continue;
        expect(fieldConfig?.defaults.thresholds?.steps.length, title).toBeGreaterThan(0);
        const legends = targets.map(({ legendFormat = '' }) => legendFormat);
        expect(new Set(legends).size, title).toBe(legends.length);
        if (type === 'timeseries') expect(legends, title).not.toContain('');
      }
    },
  );

  test('have names of their own', () => {
    expect(dashboards.length).toBe(4);
    expect(new Set(dashboards.map(({ board }) => board.uid)).size).toBe(4);
  });
});
