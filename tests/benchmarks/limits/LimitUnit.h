#pragma once

#include <Eigen/Core>

namespace attn::bench {

namespace {

namespace limitPacket = Eigen::internal;

template<typename Scalar>
using RowMajorMatrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Multiply-adds on registers alone; returns their number. Twelve chains hide the latency.
template<typename Scalar>
double multiplyAdds(long rounds)
{
    using Packet = typename limitPacket::packet_traits<Scalar>::type;
    constexpr int chains = 12;
    const Packet factor = limitPacket::pset1<Packet>(Scalar(0.999999));
    const Packet addend = limitPacket::pset1<Packet>(Scalar(1e-7));
    Packet sums[chains];
    // Every loop over the chains is unrolled: only then do they stay in registers.
#pragma GCC unroll 12
    for (int c = 0; c < chains; ++c)
        sums[c] = factor;
    for (long i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int c = 0; c < chains; ++c) {
            sums[c] = limitPacket::pmadd(sums[c], factor, addend);
            asm volatile("" : "+x"(sums[c]));
        }
    }
    volatile Scalar kept = Scalar(0);
#pragma GCC unroll 12
    for (int c = 0; c < chains; ++c)
        kept = kept + limitPacket::pfirst(sums[c]);
    constexpr int width = limitPacket::unpacket_traits<Packet>::size;
    return static_cast<double>(rounds) * chains * width;
}

/// Eigen's own product of one tile that stays in the cache: [256, 64] times [64, 256].
template<typename Scalar>
double eigenTile(int rounds)
{
    static RowMajorMatrix<Scalar> A = RowMajorMatrix<Scalar>::Random(256, 64);
    static RowMajorMatrix<Scalar> B = RowMajorMatrix<Scalar>::Random(256, 64);
    static RowMajorMatrix<Scalar> C(256, 256);
    for (int i = 0; i < rounds; ++i)
        C.noalias() = A * B.transpose();
    return 2.0 * 256.0 * 256.0 * 64.0 * rounds;
}

template<typename Scalar>
constexpr LimitFunctions<Scalar> limitFunctions = {multiplyAdds<Scalar>, eigenTile<Scalar>};

} // namespace

} // namespace attn::bench
