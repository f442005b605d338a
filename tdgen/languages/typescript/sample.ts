// Read by Node before there is a job: what strips types is loaded then, and has seen what code mostly has.
class Sample extends Error { n: number; constructor(n: number) { super(`${n}`); this.n = n; } static { this.prototype.name = "Sample"; } }
type Pair = [number, string | null];
async function sample<K>(x: Array<K> | null, y: Map<string, number[]> = new Map(), ...z: Pair[]): Promise<number> {
  const pairs: Pair[] = [];
  for (const one of x ?? []) { if (one === (null as any)) throw new Sample(1); else pairs.push([pairs.length, /a/.test("") ? "b" : `c${1}`]); }
  let n = 0; while (n < 2) n += 1;
  try { n++; } catch (error) { switch (n) { case 1: break; default: } }
  return pairs.reduce((sum, [a]) => sum + a, n!);
}
