// The vector scan, compiled by `npm run build:kernels:vector-scan` to scan.wasm beside it.
// 8-bit stored rows against a 16-bit question: the question's own rounding is then too small to matter.

// value[i] = scales[i] * scale * sum_k rows[i][k] * question[k], known up to margin[i] = errors[i] * factor + fixed.
// Writes (i, value, margin) of every row that may reach the floor, and says how many there are.
// columns is a multiple of 16 and padded with zeros; there is room for a multiple of 4 rows.
export function scan(
  question: usize, rows: usize, scales: usize, errors: usize, found: usize,
  count: i32, columns: i32, scale: f32, factor: f32, fixed: f32, floor: f32,
): i32 {
  const stride = <usize>columns;
  const scale4 = f32x4.splat(scale), factor4 = f32x4.splat(factor);
  const fixed4 = f32x4.splat(fixed), floor4 = f32x4.splat(floor);
  let row = rows;
  let out = found;
  // Four rows at a time: every loaded piece of the question is used four times.
  for (let item = 0; item < count; item += 4) {
    const r1 = row + stride, r2 = r1 + stride, r3 = r2 + stride;
    let a0 = i32x4.splat(0), a1 = i32x4.splat(0), a2 = i32x4.splat(0), a3 = i32x4.splat(0);
    for (let k: usize = 0; k < stride; k += 16) {
      const low = v128.load(question + (k << 1));
      const high = v128.load(question + (k << 1), 16);
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(low, v128.load_ext<i8>(row + k)));
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(high, v128.load_ext<i8>(row + k, 8)));
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(low, v128.load_ext<i8>(r1 + k)));
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(high, v128.load_ext<i8>(r1 + k, 8)));
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(low, v128.load_ext<i8>(r2 + k)));
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(high, v128.load_ext<i8>(r2 + k, 8)));
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(low, v128.load_ext<i8>(r3 + k)));
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(high, v128.load_ext<i8>(r3 + k, 8)));
    }
    const at = <usize>item << 2;
    const dots = f32x4.convert_i32x4_s(sums(a0, a1, a2, a3));
    const value = f32x4.mul(f32x4.mul(dots, v128.load(scales + at)), scale4);
    const margin = f32x4.add(f32x4.mul(v128.load(errors + at), factor4), fixed4);
    const reach = i32x4.bitmask(f32x4.ge(f32x4.add(value, margin), floor4));
    if (reach) {
      if (reach & 1) out = write(out, item, f32x4.extract_lane(value, 0), f32x4.extract_lane(margin, 0));
      if (reach & 2 && item + 1 < count) out = write(out, item + 1, f32x4.extract_lane(value, 1), f32x4.extract_lane(margin, 1));
      if (reach & 4 && item + 2 < count) out = write(out, item + 2, f32x4.extract_lane(value, 2), f32x4.extract_lane(margin, 2));
      if (reach & 8 && item + 3 < count) out = write(out, item + 3, f32x4.extract_lane(value, 3), f32x4.extract_lane(margin, 3));
    }
    row = r3 + stride;
  }
  return i32(out - found) / 12;
}

function write(out: usize, item: i32, value: f32, margin: f32): usize {
  store<i32>(out, item);
  store<f32>(out, value, 4);
  store<f32>(out, margin, 8);
  return out + 12;
}

// The four horizontal sums of four vectors.
// @ts-ignore: decorators on functions are AssemblyScript's
@inline function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}
