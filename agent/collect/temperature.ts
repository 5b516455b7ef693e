/** `kind`: the driver or zone; `label`: the driver's name of this sensor, if it has several. */
export type Sensor = { kind: string; label: string; celsius: number };

const PROCESSOR = /coretemp|k10temp|zenpower|cpu|x86_pkg|soc/i;
const WHOLE = /package|tctl|tdie/i;

/** The temperature of the processor, or of another sensor if it has none; null: no plausible value. */
export function temperatureOf(sensors: readonly Sensor[]): number | null {
  // A sensor that is not connected reports 0, -128 or 255.
  const plausible = sensors.filter(({ celsius }) => celsius > -60 && celsius < 200 && celsius !== 0);
  const processor = plausible.filter(({ kind, label }) => PROCESSOR.test(kind) || PROCESSOR.test(label));
  const whole = processor.filter(({ label }) => WHOLE.test(label));
  const [chosen = []] = [whole, processor, plausible].filter(({ length }) => length > 0);
  return chosen.length === 0 ? null : Math.max(...chosen.map(({ celsius }) => celsius));
}
