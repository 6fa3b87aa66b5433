import type { Histogram } from 'prom-client';

/** A finished HTTP request. */
export interface HttpSample {
  readonly method: string;
  /** The pattern of the route, such as `/api/conversion/:jobId`. Undefined if no route matches. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

/** The samples with the same labels. */
interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number };
  /** How many are in each bucket, without those of lower buckets. */
  readonly counts: number[];
  count: number;
  sum: number;
}

/** A histogram of the seconds that requests take. */
export interface RequestHistogram {
  observe(sample: HttpSample): void;
  /** For the registry of prom-client. */
  readonly metric: Histogram;
}

/**
 * Creates the histogram. That of prom-client makes two texts of the labels of each sample, and one of its bucket: a microsecond, which
 * was a fortieth of a submission.
 */
export function requestHistogram(
  { name, help }: { readonly name: string; readonly help: string },
  buckets: readonly number[],
): RequestHistogram {
  const byRoute = new Map<string, Series[]>();
  const seriesOf = ({ method, route = 'none', status }: HttpSample): Series => {
    const ofRoute = byRoute.get(route) ?? [];
    const known = ofRoute.find(({ labels }) => labels.status === status && labels.method === method);
    if (known !== undefined) return known;
    const added = { labels: { method, route, status }, counts: buckets.map(() => 0), count: 0, sum: 0 };
    byRoute.set(route, [...ofRoute, added]);
    return added;
  };
  const valuesOf = ({ labels, counts, count, sum }: Series) => {
    let upTo = 0;
    const inBuckets = buckets.map((le, index) => {
      upTo += counts[index] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: upTo };
    });
    return [
      ...inBuckets,
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  const get = async () => ({ name, help, type: 'histogram', values: [...byRoute.values()].flat().flatMap(valuesOf) });
  return {
    observe(sample) {
      const series = seriesOf(sample);
      const { counts } = series;
      let bucket = 0;
      while (bucket < buckets.length && sample.seconds > (buckets[bucket] ?? 0)) bucket += 1;
      if (bucket < counts.length) counts[bucket] = (counts[bucket] ?? 0) + 1;
      series.count += 1;
      series.sum += sample.seconds;
    },
    // The registry reads no more of a metric than its name and what `get` returns.
    metric: { name, get } as unknown as Histogram,
  };
}
