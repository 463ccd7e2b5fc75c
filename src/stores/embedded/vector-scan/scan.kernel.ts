// The vector scan. `npm run build kernels` compiles it twice: to scan.wasm, and with relaxed SIMD to
// scan-relaxed.wasm, which is faster. Both compute the same integers: the question is kept to 7 bits, where every
// machine's relaxed product is exact.

// Eight rows share every loaded piece of the question. A block has room for a multiple of eight.
const together = 8;
// Added to the question's 7-bit values, so that none is negative; the rows' sums take it out again.
const offset = 64;

// A block is `room` rows of `columns` bytes, then the scale, the error and the sum of each row.
// The question is `columns` values of 7 bits, then as many of 16 bits. `columns` is a multiple of 16, padded with zeros.
//
// value[i] = scales[i] * scale * sum_k rows[i][k] * question[k], known up to margin[i] = errors[i] * factor + fixed.
// The coarse question turns most rows away; the fine one is put to the rest, while the row is at hand. Writes
// (i, value, margin) of every row that may reach the floor, and says how many there are.
export function scan(
  question: usize, block: usize, found: usize, room: i32, count: i32, columns: i32,
  coarseScale: f32, coarseFixed: f32, fineScale: f32, fineFixed: f32, factor: f32, floor: f32,
): i32 {
  const stride = <usize>columns;
  const scales = block + <usize>room * stride;
  const errors = scales + (<usize>room << 2);
  const sums = errors + (<usize>room << 2);
  const scale4 = f32x4.splat(coarseScale), factor4 = f32x4.splat(factor);
  const fixed4 = f32x4.splat(coarseFixed), floor4 = f32x4.splat(floor);
  const fine = question + stride;
  let row = block;
  let out = found;
  for (let item = 0; item < count; item += together) {
    const r1 = row + stride, r2 = r1 + stride, r3 = r2 + stride;
    const r4 = r3 + stride, r5 = r4 + stride, r6 = r5 + stride, r7 = r6 + stride;
    let a0 = i32x4.splat(0), a1 = i32x4.splat(0), a2 = i32x4.splat(0), a3 = i32x4.splat(0);
    let a4 = i32x4.splat(0), a5 = i32x4.splat(0), a6 = i32x4.splat(0), a7 = i32x4.splat(0);
    for (let k: usize = 0; k < stride; k += 16) {
      const asked = v128.load(question + k);
      a0 = addDot(v128.load(row + k), asked, a0);
      a1 = addDot(v128.load(r1 + k), asked, a1);
      a2 = addDot(v128.load(r2 + k), asked, a2);
      a3 = addDot(v128.load(r3 + k), asked, a3);
      a4 = addDot(v128.load(r4 + k), asked, a4);
      a5 = addDot(v128.load(r5 + k), asked, a5);
      a6 = addDot(v128.load(r6 + k), asked, a6);
      a7 = addDot(v128.load(r7 + k), asked, a7);
    }
    for (let half = 0; half < together; half += 4) {
      const at = <usize>(item + half) << 2;
      const dots = half ? horizontal(a4, a5, a6, a7) : horizontal(a0, a1, a2, a3);
      const products = i32x4.sub(dots, i32x4.mul(v128.load(sums + at), i32x4.splat(offset)));
      const value = f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(products), v128.load(scales + at)), scale4);
      const margin = f32x4.add(f32x4.mul(v128.load(errors + at), factor4), fixed4);
      let reach = i32x4.bitmask(f32x4.ge(f32x4.add(value, margin), floor4));
      while (reach) {
        const lane = i32.ctz(reach);
        reach &= reach - 1;
        const index = item + half + lane;
        if (index >= count) break;
        const place = <usize>index << 2;
        const near = <f32>fineDot(fine, block + <usize>index * stride, stride) * load<f32>(scales + place) * fineScale;
        const doubt = load<f32>(errors + place) * factor + fineFixed;
        if (near + doubt >= floor) {
          store<i32>(out, index);
          store<f32>(out, near, 4);
          store<f32>(out, doubt, 8);
          out += 12;
        }
      }
    }
    row = r7 + stride;
  }
  return i32(out - found) / 12;
}

// 8-bit values times 7-bit values, added in fours to the four sums.
// @ts-ignore: decorators on functions are AssemblyScript's
@inline function addDot(values: v128, asked: v128, sums: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_dot_i8x16_i7x16_add_s(values, asked, sums);
  const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(values), i16x8.extend_low_i8x16_s(asked));
  const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(values), i16x8.extend_high_i8x16_s(asked));
  return i32x4.add(sums, i32x4.add(low, high));
}

// One row with the 16-bit question.
function fineDot(question: usize, row: usize, stride: usize): i32 {
  let sum = i32x4.splat(0);
  for (let k: usize = 0; k < stride; k += 8) {
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(question + (k << 1)), v128.load_ext<i8>(row + k)));
  }
  return i32x4.extract_lane(horizontal(sum, sum, sum, sum), 0);
}

// The four horizontal sums of four vectors.
// @ts-ignore: decorators on functions are AssemblyScript's
@inline function horizontal(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}
