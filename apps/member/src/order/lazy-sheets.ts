import { lazyPart } from '../parts/lazy.tsx';
import type { SheetProps } from './report-sheet.tsx';

/** What a member says against an order, loaded when they begin to: few orders end so. */

const load = () => import('./objections.ts');

export const RejectSheet = lazyPart<SheetProps>(async () => (await load()).RejectSheet);
export const ReportSheet = lazyPart<SheetProps>(async () => (await load()).ReportSheet);
