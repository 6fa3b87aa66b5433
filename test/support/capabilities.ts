import { capabilityOperations } from '../../packages/service/src/jobs/capabilities/capabilities.ts';
import { type Recorded, recordedCatalogue } from './recorded-catalogue.ts';

/** The operations behind `/api/capabilities` on a recorded ffmpeg. */
export const recordedCapabilities = (version: Recorded = '5.1') =>
  capabilityOperations(async () => recordedCatalogue(version));
