import { SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { PAGE_LANGUAGES, PREVIEWED_VIEWS, type PreviewPage } from '@munshi/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Card } from '../page.tsx';
import { errorText, Skeleton } from '../states.tsx';
import type { ShownLogo } from './logo-field.tsx';
import classes from './merchant.module.css';

const LANGUAGES = { en: 'English', ur: 'اردو', hi: 'हिन्दी', bn: 'বাংলা' };

const VIEWS = { pay: 'Pay', verifying: 'Verifying', completed: 'Completed' };

const THEME_NAMES = { light: 'Light', dark: 'Dark' };

type Language = PreviewPage['language'];
type View = PreviewPage['view'];
/** The fields as they are typed; without `logo` the stored picture stays. */
export type TypedPage = Omit<PreviewPage, 'language' | 'view' | 'theme'>;
export type DrawPage = (
  body: PreviewPage,
  signal: AbortSignal,
) => Promise<{ readonly html: string; readonly logo: ShownLogo | null }>;
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const SETTLE_MS = 300;
/** In pixels, until the page that was drawn says how high it is. */
const FIRST_HEIGHT = 640;

/** The page as it would be with what is typed, drawn by the service. */
export function usePagePreview(typed: TypedPage, draw: DrawPage) {
  /** Of this form alone: what a service draws has more in it than what is typed. */
  const form = useId();
  const [language, setLanguage] = useState<Language>('en');
  const [view, setView] = useState<View>('pay');
  const [theme, setTheme] = useState<Theme>('light');
  const [settled] = useDebouncedValue(JSON.stringify(typed), SETTLE_MS);
  const read = useQuery({
    queryKey: ['page-preview', form, settled, language, view, theme],
    queryFn: ({ signal }) => draw({ ...JSON.parse(settled), language, view, theme }, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    meta: { watch: ['setting'] },
  });
  const { data, error } = read;
  const logo: ShownLogo | null = data?.logo ?? null;
  return { language, setLanguage, view, setView, theme, setTheme, logo, data, error };
}

/** Nothing in it can be pressed: it has neither script nor focus. */
export function PagePreview({ preview }: { readonly preview: ReturnType<typeof usePagePreview> }) {
  const { language, setLanguage, view, setView, theme, setTheme, data, error } = preview;
  const [height, setHeight] = useState(FIRST_HEIGHT);
  return (
    <Card title="The page as customers see it">
      <div className={classes['preview-choices']}>
        <SegmentedControl
          aria-label="Language of the page"
          size="xs"
          value={language}
          onChange={(next) => setLanguage(next as Language)}
          data={PAGE_LANGUAGES.map((value) => ({ value, label: LANGUAGES[value] }))}
        />
        <SegmentedControl
          aria-label="Step of the payment"
          size="xs"
          value={view}
          onChange={(next) => setView(next as View)}
          data={PREVIEWED_VIEWS.map((value) => ({ value, label: VIEWS[value] }))}
        />
        <SegmentedControl
          aria-label="Theme of the page"
          size="xs"
          value={theme}
          onChange={(next) => setTheme(next as Theme)}
          data={THEMES.map((value) => ({ value, label: THEME_NAMES[value] }))}
        />
      </div>
      <p className={classes['hint']} role="status">
        {error === null
          ? 'A made-up deposit. Nothing is saved, and nothing in it can be pressed.'
          : `This cannot be shown, so the page is as it was before: ${errorText(error)}`}
      </p>
      {data === undefined ? (
        <Skeleton rows={8} />
      ) : (
        <iframe
          className={classes['preview']}
          title="The page as customers see it"
          sandbox="allow-same-origin"
          inert
          tabIndex={-1}
          srcDoc={data.html}
          height={height}
          onLoad={({ currentTarget }) =>
            setHeight(currentTarget.contentDocument?.body.scrollHeight ?? FIRST_HEIGHT)
          }
        />
      )}
    </Card>
  );
}
