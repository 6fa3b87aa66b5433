import { test } from 'vitest';
import { outputExpiryContract } from '../contracts/output-expiry.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';
import { openLocal } from '../fixtures/local-media.ts';

contractsOnPostgres([(engine) => outputExpiryContract(engine, 'a local disk', () => openLocal(), test)]);
