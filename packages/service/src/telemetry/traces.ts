import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { isFirstAttempt } from '@telecine/contract/domain/job.ts';
import { JOB_PHASES, type JobPhase } from '@telecine/contract/domain/states.ts';
import type { AttemptReport } from '../jobs/run/run-job.ts';

/** What the span of a request needs at its end. */
interface RequestEnd {
  readonly status: number;
  readonly requestId: string;
  readonly clientId: string | undefined;
}

interface RequestTrace {
  readonly traceId: string;
  /** A `traceparent` (W3C Trace Context). Jobs of this request store it, so that their attempts join the trace. */
  readonly traceParent: string;
  end(request: RequestEnd): void;
}

/** Creates spans and sends them to a collector. Methods that create spans never throw or wait. */
export interface Traces {
  /**
   * Starts the span of a request. `traceParent`: the header field, which is ignored if it is invalid. Returns undefined
   * if the trace is not sampled.
   */
  startRequest(method: string, route: string, traceParent: string | undefined): RequestTrace | undefined;
  /** Records the spans of an attempt that has just ended, if the request that created the job was sampled. */
  recordAttempt(report: Pick<AttemptReport, 'job' | 'status' | 'seconds' | 'phaseSeconds' | 'speed' | 'failure'>): void;
  /** Sends the remaining spans, for a few seconds at most. */
  close(): Promise<void>;
}

interface TraceSettings {
  /** The URL of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** Header fields of each export, such as an API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The share of traces to record, from 0 to 1. Only for traces that start in this service. */
  readonly ratio: number;
  readonly version: string;
  /** Identifies this process among others. */
  readonly instanceId: string;
  /** Called if an export fails after the one before it succeeded. */
  readonly onExportFailed: (error: Error) => void;
}

/** The time limit for an export. Its spans are lost if it takes longer. Also the time limit for `close`. */
const EXPORT_TIMEOUT_MS = 5000;

export function createTraces(settings: TraceSettings): Traces {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'telecine',
      'service.version': settings.version,
      'service.instance.id': settings.instanceId,
    }),
    // If a request is part of a trace, the sender decides whether the trace is sampled, for all services of the trace.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(exporter, settings.onExportFailed),
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('telecine', settings.version);
  return {
    startRequest: (method, route, traceParent) => {
      const span = tracer.startSpan(
        `${method} ${route}`,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } },
        contextOf(traceParent) ?? ROOT_CONTEXT,
      );
      return span.isRecording() ? requestTrace(span) : undefined;
    },
    recordAttempt: (report) => {
      const parent = contextOf(report.job.traceParent);
      if (parent !== undefined) recordAttempt(tracer, parent, report);
    },
    // Ignore errors: a failure of the last export was already reported.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function requestTrace(span: Span): RequestTrace {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    traceParent: `00-${traceId}-${spanId}-01`,
    end: ({ status, requestId, clientId }) => {
      span.setAttributes({
        'http.response.status_code': status,
        'telecine.request.id': requestId,
        ...(clientId !== undefined && { 'telecine.client.id': clientId }),
        ...(status >= 500 && { 'error.type': String(status) }),
      });
      // Errors that the client caused are no span errors:
      // https://opentelemetry.io/docs/specs/semconv/http/http-spans/#status
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

const PHASE_SPANS: Readonly<Record<JobPhase, string>> = {
  STAGING: 'stage inputs',
  SAMPLING: 'try samples',
  CONVERTING: 'run ffmpeg',
  PUBLISHING: 'publish outputs',
};

/** Records an attempt that ends now, and its phases. For the first attempt of a job, also the time in the queue. */
function recordAttempt(tracer: Tracer, parent: Context, report: Parameters<Traces['recordAttempt']>[0]): void {
  const { job, status, seconds, phaseSeconds, speed, failure } = report;
  const endMs = Date.now();
  const startMs = endMs - seconds * 1000;
  const acceptedMs = Date.parse(job.createdAt);
  const ids = { 'telecine.job.id': job.jobId, 'telecine.client.id': job.clientId };
  if (isFirstAttempt(job))
    tracer
      .startSpan('wait in queue', { startTime: Math.min(acceptedMs, startMs), attributes: ids }, parent)
      .end(startMs);
  const attempt = tracer.startSpan(
    'run job',
    {
      kind: SpanKind.CONSUMER,
      startTime: startMs,
      attributes: {
        ...ids,
        'telecine.job.attempt': job.attempt,
        'telecine.job.status': status,
        ...(failure && { 'error.type': failure.code }),
      },
    },
    parent,
  );
  const inAttempt = trace.setSpan(parent, attempt);
  let phaseStartMs = startMs;
  for (const phase of JOB_PHASES) {
    const phaseMs = (phaseSeconds[phase] ?? 0) * 1000;
    if (phaseMs === 0) continue;
    const attributes = phase === 'CONVERTING' && speed !== undefined ? { 'telecine.conversion.speed': speed } : {};
    const span = tracer.startSpan(PHASE_SPANS[phase], { startTime: phaseStartMs, attributes }, inAttempt);
    phaseStartMs = Math.min(phaseStartMs + phaseMs, endMs);
    span.end(phaseStartMs);
  }
  if (failure !== undefined) attempt.setStatus({ code: SpanStatusCode.ERROR, message: failure.code });
  attempt.end(endMs);
}

/** Reads the context in a `traceparent`. undefined: it is missing or invalid. */
function contextOf(traceParent: string | undefined): Context | undefined {
  const parent = traceParent === undefined ? null : parseTraceParent(traceParent);
  return parent === null ? undefined : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

/**
 * Calls `onFailed` only for the first of several failures in a row. Otherwise, a collector that is down would fill the
 * log.
 */
function reportFailures(exporter: SpanExporter, onFailed: TraceSettings['onExportFailed']): SpanExporter {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !failing) onFailed(result.error ?? new Error('unknown error'));
        failing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
