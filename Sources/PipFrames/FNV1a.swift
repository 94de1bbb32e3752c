/// Computes the 64-bit FNV-1a hash of bytes.
///
/// The hash distinguishes contents and detects damage. It is not secure against deliberate collisions.
///
/// Source: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv.
package func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
