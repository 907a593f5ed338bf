import { Button } from '@mantine/core';
import Printer from 'lucide-react/icons/printer';
import { Page, type PageProps } from './page.tsx';
import classes from './paper.module.css';

/** A screen that is printed too: on paper it has no head, and so no buttons. */
export const PaperPage = (props: PageProps) => (
  <div className={classes['paper']}>
    <Page {...props} />
  </div>
);

export const PrintButton = () => (
  <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => print()}>
    Print
  </Button>
);
