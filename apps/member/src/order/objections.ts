export { RejectSheet } from './reject-sheet.tsx';
export { ReportSheet } from './report-sheet.tsx';
