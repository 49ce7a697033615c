#pragma once

#include "engine/kernels/unit/Packets.h"

namespace attn {

namespace {

/// exp(r) = 1 + r + r^2 p(r) for |r| <= ln(2) / 2; p interpolates at the Chebyshev nodes (relative error
/// below 1e-8 and 2e-17). ln(2) is split so that a whole number times its high part is exact.
template<typename Scalar>
struct ExponentialConstants;

template<>
struct ExponentialConstants<float>
{
    using Bits = std::int32_t;
    static constexpr int mantissaBits = 23;
    static constexpr Bits exponentBias = 127;
    static constexpr float lowest = -110.0f; ///< exp is 0 from here
    static constexpr float highest = 100.0f; ///< exp is infinite from here
    static constexpr int raise = 36;         ///< exp(lowest) 2^raise is a normal number
    static constexpr float lowered = 0x1p-36f;
    static constexpr float roundingShift = 12582912.0f; ///< 1.5 * 2^23: adding it rounds to a whole number
    static constexpr float ln2High = 0.693145751953125f;
    static constexpr float ln2Low = 1.4286068203094173e-06f;
    static constexpr float log2e = 1.4426950408889634f;
    static constexpr int count = 5;
    static constexpr float p[count] = {0.5f, 0.16666576666119928f, 0.04166655421298415f,
                                       0.008363232883682618f, 0.0013926250831497611f};
};

template<>
struct ExponentialConstants<double>
{
    using Bits = std::int64_t;
    static constexpr int mantissaBits = 52;
    static constexpr Bits exponentBias = 1023;
    static constexpr double lowest = -760.0;
    static constexpr double highest = 720.0;
    static constexpr int raise = 80;
    static constexpr double lowered = 0x1p-80;
    static constexpr double roundingShift = 6755399441055744.0; ///< 1.5 * 2^52
    static constexpr double ln2High = 0.6931471806019545;
    static constexpr double ln2Low = -4.2009150726810846e-11;
    static constexpr double log2e = 1.4426950408889634;
    static constexpr int count = 10;
    static constexpr double p[count] = {0.5,
                                        0.16666666666666669,
                                        0.041666666666623824,
                                        0.008333333333330039,
                                        0.0013888888917367081,
                                        0.00019841269863171557,
                                        2.4801521057868204e-05,
                                        2.7557268276905696e-06,
                                        2.7620201591031547e-07,
                                        2.5100472505694996e-08};
};

/// The whole numbers with as many lanes as a packet.
template<typename Scalar, int bytes = sizeof(Packet<Scalar>)>
struct BitLanes
{
    typedef typename ExponentialConstants<Scalar>::Bits Type __attribute__((vector_size(bytes)));
};

template<typename Scalar>
struct BitLanes<Scalar, sizeof(Scalar)>
{
    using Type = typename ExponentialConstants<Scalar>::Bits;
};

/// 2^(n + raise) from n + roundingShift, for exponents of normal numbers.
template<typename Scalar, int raise>
Packet<Scalar> powerOfTwo(const Packet<Scalar> &shifted)
{
    using Constants = ExponentialConstants<Scalar>;
    using Bits = typename BitLanes<Scalar>::Type;
    Bits bits = __builtin_bit_cast(Bits, shifted);
    bits = (bits + (Constants::exponentBias + raise)) << Constants::mantissaBits;
    return __builtin_bit_cast(Packet<Scalar>, bits);
}

/// exp(x) = y 2^n, y near 1; n is given as it is and shifted.
template<typename Scalar>
struct SplitExponential
{
    Packet<Scalar> n;
    Packet<Scalar> shifted;
    Packet<Scalar> y;
};

template<typename Scalar>
SplitExponential<Scalar> splitExponential(const Packet<Scalar> &x)
{
    using Constants = ExponentialConstants<Scalar>;
    const Packet<Scalar> shift = all(Constants::roundingShift);
    const Packet<Scalar> shifted = packet::pmadd(x, all(Constants::log2e), shift);
    const Packet<Scalar> n = packet::psub(shifted, shift);
    Packet<Scalar> r = packet::pmadd(n, all(-Constants::ln2High), x);
    r = packet::pmadd(n, all(-Constants::ln2Low), r);
    Packet<Scalar> p = all(Constants::p[Constants::count - 1]);
    for (int i = Constants::count - 2; i >= 0; --i)
        p = packet::pmadd(p, r, all(Constants::p[i]));
    return {n, shifted, packet::padd(all(Scalar(1)), packet::pmadd(packet::pmul(r, r), p, r))};
}

#ifdef __AVX512F__
/// y 2^n, rounded once, in one instruction.
inline __m512 scaledByPower(const __m512 &y, const __m512 &n)
{
    return _mm512_scalef_ps(y, n);
}

inline __m512d scaledByPower(const __m512d &y, const __m512d &n)
{
    return _mm512_scalef_pd(y, n);
}
#endif

/// exp of each number, none above 0: relative error below 2 units in the last place, gradual underflow, NaN
/// kept.
template<typename Scalar>
Packet<Scalar> decay(const Packet<Scalar> &unbounded)
{
    using Constants = ExponentialConstants<Scalar>;
    // Of a NaN and a number, Eigen's comparisons return their first argument.
    const auto [n, shifted, y] = splitExponential<Scalar>(packet::pmax(unbounded, all(Constants::lowest)));
    if constexpr (sizeof(Packet<Scalar>) == 64) {
        return scaledByPower(y, n);
    } else {
        // The first product stays among the normal numbers; the second one rounds where it leaves them.
        const Packet<Scalar> raised = powerOfTwo<Scalar, Constants::raise>(shifted);
        return packet::pmul(packet::pmul(y, raised), all(Constants::lowered));
    }
}

/// exp of each number: as decay, infinite above the range.
template<typename Scalar>
Packet<Scalar> exponential(const Packet<Scalar> &unbounded)
{
    using Constants = ExponentialConstants<Scalar>;
    const Packet<Scalar> x =
        packet::pmin(packet::pmax(unbounded, all(Constants::lowest)), all(Constants::highest));
    const auto [n, shifted, y] = splitExponential<Scalar>(x);
    // 2^n in two factors: n may lie outside the exponents of normal numbers on both sides.
    const Packet<Scalar> shift = all(Constants::roundingShift);
    const Packet<Scalar> half = packet::pmadd(n, all(Scalar(0.5)), shift);
    const Packet<Scalar> rest = packet::padd(packet::psub(n, packet::psub(half, shift)), shift);
    return packet::pmul(packet::pmul(y, powerOfTwo<Scalar, 0>(half)), powerOfTwo<Scalar, 0>(rest));
}

} // namespace

} // namespace attn
