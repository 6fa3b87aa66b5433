import { type Config, readConfig } from './config.ts';

/** The settings of this process; the one place that reads its environment. */
export const configFromEnvironment = (): Config => readConfig(process.env);
