import { Button } from '@mantine/core';
import { reloadWhenServed } from '@munshi/web/reload';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { Page, PageOnItsWay } from '../page.tsx';
import { isMissingCode } from '../reload.ts';
import { Empty } from '../states.tsx';

interface FailedPageProps {
  /** Another one has its own chance. */
  readonly address: string;
  readonly children: ReactNode;
}
interface State {
  readonly address: string;
  readonly error: Error | null;
}

/** In place of a screen that has thrown; the frame stays. */
export class FailedPage extends Component<FailedPageProps, State> {
  override state: State = { address: this.props.address, error: null };

  static getDerivedStateFromProps({ address }: FailedPageProps, state: State): State | null {
    return state.address === address ? null : { address, error: null };
  }

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Failure key={this.state.address} isMissing={isMissingCode(error)} />;
  }
}

/** Loads the page again by itself where its code is missing, and else when somebody says so. */
function Failure({ isMissing }: { readonly isMissing: boolean }) {
  const [reloads, setReloads] = useState<'by itself' | 'asked' | false>(isMissing && 'by itself');
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (reloads === false) return;
    return reloadWhenServed({
      onAway: () => setAway(true),
      ...(reloads === 'by itself' && { onBroken: () => setReloads(false) }),
    });
  }, [reloads]);
  if (isAway)
    return (
      <Page title="The service cannot be reached">
        <Empty>
          <p role="alert">This page opens by itself as soon as the service is back.</p>
        </Empty>
      </Page>
    );
  if (reloads !== false) return <PageOnItsWay />;
  return (
    <Page title="This page could not be shown">
      <Empty>
        <p role="alert">Load it again. If that does not help, tell whoever runs the service.</p>
        <Button variant="default" onClick={() => setReloads('asked')}>
          Load it again
        </Button>
      </Empty>
    </Page>
  );
}
