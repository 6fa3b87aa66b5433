import { s3Intents } from '../../packages/service/src/media/s3/publish/prepare.ts';
import type { Engine } from '../contracts/engine.ts';
import { mediaContract } from '../contracts/media.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { openS3 } from '../fixtures/s3-media.ts';
import { needs } from '../support/needs.ts';

const mediaOnS3 = (database: Engine): void =>
  mediaContract(
    {
      name: `S3, with ${database.name}`,
      open: async () => openS3(await database.open()),
      publishOrder: (intent) => {
        const { objects } = s3Intents.read(intent);
        return [...objects].sort((a, b) => a.rank - b.rank).map(({ path }) => path);
      },
    },
    needs('an S3 server'),
  );

mediaOnS3(sqlite);
contractsOnPostgres([mediaOnS3]);
