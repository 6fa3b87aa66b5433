import type { Measurement } from '../../domain/analysis.ts';
import type { AuditAction, AuditOutcome } from '../../domain/audit.ts';
import type { Join } from '../../domain/join.ts';
import type { JobStatus } from '../../domain/states.ts';
import type { ProgressForm } from '../output/progress-display.ts';
import type { CommandParameters } from './parameters.ts';

/** Options of `telecine convert`, as commander passes them. */
export interface ConvertFlags {
  readonly url?: string;
  readonly json?: true;
  readonly parameter?: CommandParameters;
  /** How the inputs are joined to one. */
  readonly join?: Join;
  /** The parts of the input that the output has, or lacks. */
  readonly only?: string;
  readonly remove?: string;
  /** The language of the speech, or `auto`. */
  readonly transcribe?: string;
  /** The recipe to apply, `NAME` or `NAME@VERSION`, and its arguments. */
  readonly preset?: string;
  readonly argument?: Readonly<Record<string, string>>;
  readonly format?: string;
  readonly y?: true;
  readonly strict?: true;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly expiresAfter?: number;
  readonly priority?: number;
  /** Where players get the key of HLS, and the file that holds it here. */
  readonly encryptKeyUri?: string;
  readonly encryptKeyFile?: string;
  readonly timeout?: number;
  readonly progress?: ProgressForm;
  readonly quiet?: true;
  readonly keep?: true;
  readonly dryRun?: true;
  /** The folder or the template of the outputs of several inputs. */
  readonly to?: string;
  /** How many of several inputs are converted at the same time. */
  readonly parallel?: number;
  /** Without a service. */
  readonly local?: true;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

/** Options of `telecine upload`, as commander passes them. */
export interface UploadFlags {
  readonly url?: string;
  readonly json?: true;
  readonly to?: string;
  readonly y?: true;
  readonly progress?: ProgressForm;
  readonly quiet?: true;
}

/** Options of `telecine probe`, as commander passes them. */
export interface ProbeFlags {
  readonly url?: string;
  readonly json?: true;
  readonly inputOption?: CommandParameters;
}

/** Options and measurements of `telecine analyze`, as commander passes them. */
export interface AnalyzeFlags {
  readonly url?: string;
  readonly json?: true;
  readonly measure: readonly Measurement[];
  readonly reference?: string;
  /** In seconds. */
  readonly ss?: string;
  readonly t?: string;
  /** The number of the audio stream to measure, from 0. */
  readonly audio?: number;
  /** Whether to print all entries of lists. */
  readonly all?: true;
  /** The settings of measurements, by measurement and name. */
  readonly set?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly timeout?: number;
}

/** Options of `telecine preview`, as commander passes them. */
export interface PreviewFlags {
  readonly url?: string;
  readonly json?: true;
  readonly at?: number;
  /** The columns and rows; true without a value. */
  readonly sheet?: { readonly columns: number; readonly rows: number } | true;
  readonly waveform?: true;
  readonly spectrogram?: true;
  readonly compare?: string;
  readonly width?: number;
  readonly output?: string;
  readonly y?: true;
}

/** Options of `telecine jobs …`, `telecine queue …` and `telecine workers …`, as commander passes them. */
export interface JobsFlags {
  readonly url?: string;
  readonly json?: true;
}

export interface ListFlags extends JobsFlags {
  readonly status?: JobStatus;
  readonly limit?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Options of `telecine audit export`, as commander passes them. */
export interface AuditFlags {
  readonly url?: string;
  readonly client?: string;
  readonly action?: AuditAction;
  readonly target?: string;
  readonly outcome?: AuditOutcome;
  readonly from?: string;
  readonly to?: string;
}

export interface DeleteFlags extends JobsFlags {
  readonly outputs?: true;
}

/** Options of `telecine webhook add`, as commander passes them. */
export interface WebhookFlags extends JobsFlags {
  readonly event?: readonly string[];
  readonly description?: string;
}

/** Options of `telecine webhook listen`, as commander passes them. */
export interface ListenFlags {
  readonly port: number;
  readonly json?: true;
}

/** Options of `telecine mcp`, as commander passes them. */
export interface McpFlags {
  readonly url?: string;
}
