// The vector scan, compiled by `npm run build:kernels` to scan.wasm beside it.
// 8-bit stored rows against a 16-bit question: the question's own rounding is then too small to matter.

// dots[i] = sum_k rows[i][k] * question[k]; columns is a multiple of 16, padded with zeros.
export function scan(question: usize, rows: usize, dots: usize, count: i32, columns: i32): void {
  const stride = <usize>columns;
  let row = rows;
  let item = 0;
  // Four rows at a time: every loaded piece of the question is used four times.
  for (; item + 3 < count; item += 4) {
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
    v128.store(dots + (<usize>item << 2), sums(a0, a1, a2, a3));
    row = r3 + stride;
  }
  for (; item < count; item++) {
    let a = i32x4.splat(0);
    for (let k: usize = 0; k < stride; k += 16) {
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(question + (k << 1)), v128.load_ext<i8>(row + k)));
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(question + (k << 1), 16), v128.load_ext<i8>(row + k, 8)));
    }
    const zero = i32x4.splat(0);
    store<i32>(dots + (<usize>item << 2), i32x4.extract_lane(sums(a, zero, zero, zero), 0));
    row += stride;
  }
}

// The four horizontal sums of four vectors.
// @ts-ignore: decorators on functions are AssemblyScript's
@inline function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}
