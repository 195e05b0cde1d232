//! SHA-256 (FIPS 180-4), for checking files without another dependency.

/// The digest as 64 hexadecimal digits.
pub(crate) fn hex(message: &[u8]) -> String {
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if message.len() % 64 >= 56 {
        padded.resize(padded.len() + 64, 0);
    }
    let end = padded.len() - 8;
    padded[end..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());

    let constants: Vec<u32> = primes().take(64).map(|p| fraction(f64::from(p).cbrt(), p, 3)).collect();
    let mut state: Vec<u32> = primes().take(8).map(|p| fraction(f64::from(p).sqrt(), p, 2)).collect();
    for block in padded.chunks_exact(64) {
        let mut w: Vec<u32> =
            block.chunks_exact(4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]])).collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut s = state.clone();
        for (word, constant) in w.iter().zip(&constants) {
            let s1 = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
            let choice = (s[4] & s[5]) ^ (!s[4] & s[6]);
            let t1 = [s1, choice, *constant, *word].iter().fold(s[7], |sum, v| sum.wrapping_add(*v));
            let s0 = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
            let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(t1);
            s[0] = t1.wrapping_add(s0).wrapping_add(majority);
        }
        state.iter_mut().zip(s).for_each(|(total, v)| *total = total.wrapping_add(v));
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn primes() -> impl Iterator<Item = u32> {
    (2_u32..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d)))
}

/// The first 32 bits of the fraction of the `power`-th root of `p`, exact: the
/// floating-point `root` is corrected in integers.
fn fraction(root: f64, p: u32, power: u32) -> u32 {
    let target = u128::from(p) << (32 * power);
    let mut scaled = (root * 4_294_967_296.0) as u128;
    while scaled.pow(power) > target {
        scaled -= 1;
    }
    while (scaled + 1).pow(power) <= target {
        scaled += 1;
    }
    scaled as u32
}

#[test]
fn the_standard_examples_hold() {
    assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(
        hex(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    );
}
