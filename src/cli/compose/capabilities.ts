import { capabilityOperations } from '../../jobs/capabilities/capabilities.ts';
import type { CapabilityOperations } from '../../jobs/capabilities/operations.ts';
import type { Tools } from './toolchain.ts';

/** Tells of the ffmpeg that was found. */
export const capabilities = (tools: Promise<Pick<Tools, 'catalogue'>>): CapabilityOperations =>
  capabilityOperations(async () => {
    const { catalogue } = await tools;
    return {
      catalogue: () => catalogue.current,
      component: catalogue.component,
      option: catalogue.option,
      classes: catalogue.classes,
    };
  });
