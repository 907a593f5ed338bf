import { caller, sentTo } from '../../../apps/server/src/demo/calls.ts';
import { createRandom } from '../../../apps/server/src/demo/random.ts';
import { ENDINGS, storiesOf } from '../../../apps/server/src/demo/stories.ts';
import { createTimeline } from '../../../apps/server/src/demo/timeline.ts';
import { createWorld } from '../../../apps/server/src/demo/world.ts';
import { advance } from '../../support/fixtures.ts';
import { createOperator } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What the demo's past asks of the service: a refusal would leave the first start without one. */

const { test, service } = await serviceTest();
const { clock } = service.app.deps;

test('an order of the demo comes to each of its endings', async () => {
  const send = sentTo(service.url);
  const as = async (role: 'admin' | 'support') =>
    caller(send, (await createOperator(service, role)).token);
  const world = await createWorld(send, await as('admin'), await as('support'));
  const storyOf = storiesOf(world, createRandom(1));
  const timeline = createTimeline({
    now: clock.now,
    async moveTo(at) {
      const seconds = Math.ceil((at - clock.now()) / 1000);
      if (seconds > 0) await advance(service, seconds);
    },
  });
  for (const ending of ENDINGS) timeline.plan(clock.now(), storyOf('Bazaar Online', ending));
  await timeline.play();
});
