#pragma once

#include <QCoreApplication>

namespace attn {

/// What all pictures of products say is translated in one context.
struct ProductText
{
    Q_DECLARE_TR_FUNCTIONS(Products)
};

} // namespace attn
