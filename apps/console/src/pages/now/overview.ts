import type { OverviewView } from '@munshi/api';
import type { AsText } from '@munshi/web';

export type Overview = AsText<OverviewView>;
export type Method = Overview['methods'][number];
