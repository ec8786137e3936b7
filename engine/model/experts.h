// SPDX-License-Identifier: Apache-2.0
// The routed experts of one layer, between router and sum: scratch, and the two ways to run them.
//
// Gathered, each expert works on the rows that picked it, packed. Dense, each works on all rows, a
// few rows at a time; a row's sum then reads its picks alone, so both give the same bytes.
#pragma once

#include "engine/model/chunk.h"

namespace engine::model {

// Rows that go through all experts together when they are dense: bounds the scratch.
std::int64_t dense_rows(const MoeGeometry& moe, std::int64_t rows);

// Outputs of experts that lie in scratch at once.
std::int64_t packed_rows(const MoeGeometry& moe, Moe mode, std::int64_t rows);

// Scratch of one layer; io: the width that experts read and write. Packed rows lie by expert,
// ascending, each expert's by token.
template <class T>
struct MoeScratch {
    T* h;                   // [rows, hidden]
    T* logits;              // [rows, experts]
    T* choice;              // [rows, experts]
    T* weights;             // [rows, top_k]
    std::int32_t* picks;    // [rows, top_k]
    std::int32_t* slots;    // [rows, top_k]: packed row of each pick
    std::int32_t* first;    // [experts + 1]: first packed row of each expert; gathered only
    T* latent;              // [rows, latent]
    T* packed_in;           // [packed rows, io]; gathered only
    T* packed_wide;         // [packed rows, width]
    T* packed_out;          // [packed rows, io]
    T* routed;              // [rows, io]
    T* widened;             // [rows, hidden]; latent only
    T* shared_wide;         // [rows, shared_width]
    T* shared;              // [rows, hidden]
    cpu::Matmul<T>* calls;  // [experts]
};

// What the experts did, as their products counted it.
struct ExpertsDone {
    std::int64_t rows = 0, experts = 0;
};

// From the rows that experts read, [rows, io], to s.routed. Picks and weights are set.
template <class T>
ExpertsDone run_experts(const Chunk<T>& c,
                        const MoeGeometry& moe,
                        const std::vector<MlpWeights>& experts,
                        const MoeScratch<T>& s,
                        const T* from);

}  // namespace engine::model
