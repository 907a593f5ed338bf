import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Empty } from '../states.tsx';
import { texts } from './texts.ts';

/** In place of a screen that has thrown; the frame stays. */
export class FailedPage extends Component<{ readonly children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Empty>
        <p>{texts.failedPage}</p>
        <Button variant="default" onClick={() => location.reload()}>
          {texts.reload}
        </Button>
      </Empty>
    );
  }
}
