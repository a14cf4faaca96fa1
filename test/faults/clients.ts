import { drawSent, type Sent } from './edits/sent.ts';
import type { Organisation, SuiteFixture } from './fixtures.ts';
import type { HttpAnswer } from './settings.ts';
import type { SimulatedService } from './simulatedService.ts';

/** One client's request and answers. */
export interface Submission {
  readonly label: string;
  readonly key: string | undefined;
  readonly suite: SuiteFixture;
  readonly answers: HttpAnswer[];
  readonly refusals: Refusal[];
}

/** An answer that what was sent does not fit the suite. */
interface Refusal {
  readonly answer: HttpAnswer;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Wish {
  readonly suite: SuiteFixture;
  readonly label: string;
  readonly async: boolean;
  readonly key?: string;
  /** It sends what was sent under this label, if anything was. Of suites without judges, whose calls go by labels. */
  readonly like?: string;
}

const ATTEMPTS_MAX = 12;
const POLLS_MAX = 400;

const isOtherBar = ({ status, body }: HttpAnswer): boolean =>
  status === 409 && body.error.code === 'SUITE_CHANGED';

const isRefusal = (answer: HttpAnswer): boolean => answer.status === 400 || isOtherBar(answer);

interface Manners {
  /** Whether they send errors in place of outputs, and wrong digests. */
  readonly mayFail: boolean;
}

/** Clients of the gate. They wait for verdicts, and repeat unanswered requests only with an idempotency key. */
export class Clients {
  readonly #service: SimulatedService;
  readonly submissions: Submission[] = [];
  readonly #manners: Manners;
  active = 0;

  constructor(service: SimulatedService, manners: Manners) {
    this.#service = service;
    this.#manners = manners;
  }

  /** Begins an action after a delay. The simulation waits for its end. */
  begin(delayMs: number, act: () => Promise<void>): void {
    this.active++;
    this.#service.sim.after(delayMs, 'client', () => {
      void act()
        .catch((error: unknown) => this.#service.sim.violated(`a client failed: ${error}`))
        .finally(() => this.active--);
    });
  }

  submit(delayMs: number, wish: Wish): void {
    this.begin(delayMs, () => this.#submit(wish));
  }

  /** Repeats a request until it succeeded or was refused for good. */
  async insist(ask: (attempt: number) => Promise<HttpAnswer | undefined>): Promise<HttpAnswer | undefined> {
    const { sim } = this.#service;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const answer = await ask(attempt);
      const isFinal = answer !== undefined && answer.status < 500 && ![409, 429].includes(answer.status);
      if (isFinal || (answer !== undefined && isOtherBar(answer))) return answer;
      await sim.sleep(sim.random.int(500, 20_000));
    }
    return undefined;
  }

  async #submit({ suite, label, async, key, like }: Wish): Promise<void> {
    const { sim } = this.#service;
    const submission: Submission = { label, key, suite, answers: [], refusals: [] };
    this.submissions.push(submission);
    this.#service.provider.askedBy(label, suite.org.orgId);
    const call = {
      body: { suite: suite.suite.slug, ...this.#sent(suite, label, like), async, trigger_meta: { label } },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    };
    let fromMs = 0;
    const ask = () => {
      fromMs = sim.now();
      return this.#service.http('runs/create', call, suite.org);
    };
    const answer = key === undefined ? await ask() : await this.insist(ask);
    if (answer === undefined) return;
    submission.answers.push(answer);
    if (isRefusal(answer)) submission.refusals.push({ answer, fromMs, untilMs: sim.now() });
    const isBusy = answer.status === 429 && Number(answer.headers['retry-after']) > 0;
    const isKnown = [200, 202, 402, 404, 500].includes(answer.status) || isBusy || isRefusal(answer);
    if (!isKnown) sim.violated(`${label} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.status === 202 && sim.random.chance(0.6)) await this.#poll(answer.body.id, suite.org);
  }

  /** The same for all requests of one label. */
  #sent({ suite, shape, org }: SuiteFixture, label: string, like = ''): Sent {
    const { sim, auditor } = this.#service;
    const known = auditor.sent.get(label)?.sent;
    if (known !== undefined) return known;
    const bar = auditor.bars.latest(suite.id);
    if (bar === undefined) throw new Error(`Suite ${suite.id} is not known`);
    const traced = org.scorers.calls;
    const toSend = { label, bar, digest: auditor.bars.digest(bar), traced, ...this.#manners };
    const same = auditor.sent.get(like)?.sent;
    const drawn = () => (shape.isPlain ? { output: `${label} ok` } : drawSent(sim.random, toSend));
    const sent = same ?? drawn();
    auditor.sent.set(label, { sent, sinceMs: sim.now() });
    return sent;
  }

  async #poll(runId: string, org: Organisation): Promise<void> {
    const { sim } = this.#service;
    for (let poll = 0; poll < POLLS_MAX; poll++) {
      await sim.sleep(sim.random.int(5_000, 60_000));
      const answer = await this.#service.http('runs/get', { params: { runId } }, org);
      if (answer?.status === 404) return sim.violated(`accepted run ${runId} is not to be found`);
      if (answer?.status !== 200 || answer.body.data.status === 'pending') continue;
      const results = await this.#service.http('runs/results', { params: { runId } }, org);
      if (results?.status === 200) return;
    }
    sim.violated(`run ${runId} never ended`);
  }
}
