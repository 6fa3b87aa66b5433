import { adminLogin } from '../../../scripts/lib/api.ts';
import { contractChecker, type Exchange } from '../../support/openapi-contract.ts';
import { createSoakClient, type SoakClient } from './soak-client.ts';

/** How long a token is used: much less than the 15 minutes that it lasts. */
const TOKEN_MS = 5 * 60_000;

/** What clients keep over restarts: the token, which stays valid, and the OpenAPI contract. */
export class Session {
  readonly #dataDir: string;
  #token = '';
  #tokenAt = Number.NEGATIVE_INFINITY;
  #contract: ((exchange: Exchange) => void) | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Creates a client of the service at `url`. Throws if the service is killed meanwhile. */
  async open(url: string, signal: AbortSignal): Promise<SoakClient> {
    this.#contract ??= contractChecker(await (await fetch(`${url}/openapi.json`)).json());
    if (performance.now() - this.#tokenAt > TOKEN_MS) {
      this.#token = (await adminLogin(url, this.#dataDir)).accessToken;
      this.#tokenAt = performance.now();
    }
    return createSoakClient(url, this.#token, this.#contract, signal);
  }
}
