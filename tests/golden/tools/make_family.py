"""Writes tests/golden/family: tiny members of the family with random weights, and their logits by reference.py.

Each shows what the shipped models do not: see the functions below. Usage: make_family.py (needs numpy).
"""
import json
import os
import struct

import numpy as np

from reference import E2M1, Model, e4m3

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "family")
CODES = e4m3(np.arange(127, dtype=np.uint8))  # the finite positive values, ascending


def write_safetensors(path, tensors):
    """tensors: {name: (dtype, shape, bytes)}."""
    header, data = {}, b""
    for name, (dtype, shape, raw) in tensors.items():
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def nearest_e4m3(x):
    """Magnitudes -> codes of the nearest finite e4m3 values."""
    right = np.clip(np.searchsorted(CODES, x), 1, len(CODES) - 1)
    return (right - (x - CODES[right - 1] < CODES[right] - x)).astype(np.uint8)


class Checkpoint:
    """Tensors with random values of a given spread, in the format asked for."""

    def __init__(self, seed, prefix="backbone.", head=""):
        self.random, self.prefix, self.head, self.tensors = np.random.default_rng(seed), prefix, head, {}

    def add(self, name, values, dtype):
        values = np.asarray(values, np.float64)
        if dtype == "BF16":
            bits = values.astype(np.float32).view(np.uint32)
            raw = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
        else:
            raw = values.astype({"F32": "<f4", "F16": "<f2"}[dtype])
        self.tensors[name] = (dtype, values.shape, raw.tobytes())

    def scalar(self, name, value, shape=()):
        self.tensors[name] = ("F32", shape, struct.pack("<f", value))

    def fp8(self, name, values, scale_shape):
        scale = float(np.float32(np.abs(values).max() / 448))
        codes = nearest_e4m3(np.abs(values) / scale) | (np.signbit(values) * 128).astype(np.uint8)
        self.tensors[name + ".weight"] = ("F8_E4M3", values.shape, codes.tobytes())
        self.scalar(name + ".weight_scale", scale, scale_shape)

    def nvfp4(self, name, values):
        scale = float(np.float32(np.abs(values).max() / (6 * 448)))
        blocks = values.reshape(len(values), -1, 16)
        block_codes = nearest_e4m3(np.abs(blocks).max(-1) / 6 / scale)
        units = np.abs(blocks) / (CODES[block_codes][..., None] * scale + 1e-30)
        codes = np.abs(units[..., None] - E2M1[:8]).argmin(-1) | (np.signbit(blocks) * 8)
        codes = codes.reshape(values.shape).astype(np.uint8)
        packed = codes[:, 0::2] | codes[:, 1::2] << 4  # low nibble first
        self.tensors[name + ".weight"] = ("U8", packed.shape, packed.tobytes())
        self.tensors[name + ".weight_scale"] = ("F8_E4M3", block_codes.shape, block_codes.tobytes())
        self.scalar(name + ".weight_scale_2", scale)

    def linear(self, name, rows, cols, form="BF16", gain=1.0):
        values = self.random.standard_normal((rows, cols)) * gain / np.sqrt(cols)
        if form == "NVFP4":
            self.nvfp4(name, values)
        elif form.startswith("FP8"):
            self.fp8(name, values, (1,) if form == "FP8[1]" else ())
        else:
            self.add(name + ".weight", values, form)

    def vector(self, name, count, low, high, dtype="BF16"):
        self.add(name, self.random.uniform(low, high, count), dtype)

    def stacked(self, name, experts, rows, cols):
        self.add(name, self.random.standard_normal((experts, rows, cols)) / np.sqrt(cols), "BF16")

    def layer(self, i, hidden):
        at = f"{self.prefix}layers.{i}."
        self.vector(at + "norm.weight", hidden, 0.5, 1.5)
        return at + "mixer."

    def mamba(self, i, c, groups, form, conv_bias=True, small="BF16"):
        hidden, heads, inner = c["hidden_size"], c["mamba_num_heads"], c["mamba_num_heads"] * c["mamba_head_dim"]
        channels = inner + 2 * groups * c["ssm_state_size"]
        at = self.layer(i, hidden)
        self.linear(at + "in_proj", inner + channels + heads, hidden, form)
        self.linear(at + "out_proj", hidden, inner, form)
        self.add(at + "conv1d.weight", self.random.uniform(-0.5, 0.5, (channels, 1, c.get("mamba_d_conv", c.get("conv_kernel")))), small)
        if conv_bias:
            self.vector(at + "conv1d.bias", channels, -0.2, 0.2, small)
        self.vector(at + "A_log", heads, 0, 2, small)
        self.vector(at + "D", heads, 0.5, 1.5, small)
        self.vector(at + "dt_bias", heads, -3, 0, small)
        self.vector(at + "norm.weight", inner, 0.5, 1.5, small)

    def attention(self, i, c, form="BF16", out="BF16"):
        hidden, dim = c["hidden_size"], c["head_dim"]
        at = self.layer(i, hidden)
        self.linear(at + "q_proj", c["num_attention_heads"] * dim, hidden, form, 2)
        self.linear(at + "k_proj", c["num_key_value_heads"] * dim, hidden, form, 2)
        self.linear(at + "v_proj", c["num_key_value_heads"] * dim, hidden, form)
        self.linear(at + "o_proj", hidden, c["num_attention_heads"] * dim, out)

    def mlp(self, i, hidden, width, form):
        at = self.layer(i, hidden)
        self.linear(at + "up_proj", width, hidden, form)
        self.linear(at + "down_proj", hidden, width, form)

    def moe(self, i, hidden, experts, width, up, down, latent=None, shared=None, gate="F32", stacked=False):
        at, io = self.layer(i, hidden), latent or hidden
        self.linear(at + "gate", experts, hidden, gate, 2)
        self.vector(at + "gate.e_score_correction_bias", experts, -0.2, 0.2, "F32")
        if latent:
            self.linear(at + "fc1_latent_proj", latent, hidden, up)
            self.linear(at + "fc2_latent_proj", hidden, latent)
        if stacked:
            self.stacked(at + "experts.up_proj", experts, width, io)
            self.stacked(at + "experts.down_proj", experts, io, width)
        for e in range(0 if stacked else experts):
            self.linear(f"{at}experts.{e}.up_proj", width, io, up)
            self.linear(f"{at}experts.{e}.down_proj", io, width, down)
        if shared:
            self.linear(at + "shared_experts.up_proj", shared, hidden, up)
            self.linear(at + "shared_experts.down_proj", hidden, shared, down)

    def ends(self, c, form, head=True):
        self.linear(self.prefix + "embeddings", c["vocab_size"], c["hidden_size"], form, np.sqrt(c["hidden_size"]))
        self.vector(self.prefix + "norm_f.weight", c["hidden_size"], 0.5, 1.5)
        if head:
            self.linear(self.head + "lm_head", c["vocab_size"], c["hidden_size"], form, 3)

    def write(self, name, config, shards=1):
        folder = os.path.join(HERE, name)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "config.json"), "w") as f:
            json.dump(config, f, indent=1)
            f.write("\n")
        if shards == 1:
            write_safetensors(os.path.join(folder, "model.safetensors"), self.tensors)
        else:
            names, index = sorted(self.tensors), {}
            for s in range(shards):
                file = f"model-{s + 1:05}-of-{shards:05}.safetensors"
                own = names[s::shards]
                index.update({name: file for name in own})
                write_safetensors(os.path.join(folder, file), {name: self.tensors[name] for name in own})
            with open(os.path.join(folder, "model.safetensors.index.json"), "w") as f:
                json.dump({"metadata": {}, "weight_map": index}, f, indent=0)
                f.write("\n")
        write_golden(name, folder, config["vocab_size"])


def write_golden(name, folder, vocab):
    tokens = np.random.default_rng(len(name)).integers(0, vocab, 40).astype(np.int32)
    logits = Model(folder).forward(tokens)
    top = np.sort(logits, -1)
    print(name, "least margin", (top[:, -1] - top[:, -2]).min(), "rms", np.sqrt((logits**2).mean()))
    write_safetensors(
        os.path.join(HERE, name + ".safetensors"),
        {
            "tokens": ("I32", tokens.shape, tokens.tobytes()),
            "logits": ("F64", logits.shape, logits.astype("<f8").tobytes()),
        },
    )


MAMBA = {"mamba_num_heads": 6, "mamba_head_dim": 8, "ssm_state_size": 12}
ATTENTION = {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 12}


def puzzle():
    """Schedule and MoE sizes by block_configs, latent experts, FP8 beside BF16, tensors under language_model."""
    sizes = {1: (6, 2, 20), 3: (5, 3, 17), 5: (9, 1, 24)}  # layer: experts, top-k, width
    blocks = [{"block_type": word} for word in ("mamba", "moe", "attention", "moe", "mamba", "moe")]
    for i, (experts, top_k, width) in sizes.items():
        blocks[i].update(n_routed_experts=experts, num_experts_per_tok=top_k, moe_intermediate_size=width)
    c = {"architectures": ["NemotronHPuzzleForCausalLM"], "model_type": "nemotron_h_puzzle", "vocab_size": 80,
         "hidden_size": 48, "layer_norm_epsilon": 1e-5, "block_configs": blocks, "num_hidden_layers": 3,
         "n_groups": 2, "conv_kernel": 4, **MAMBA, **ATTENTION, "moe_latent_size": 18, "n_shared_experts": 1,
         "moe_shared_expert_intermediate_size": 30, "routed_scaling_factor": 5.0, "norm_topk_prob": True,
         "rope_theta": 10000, "eos_token_id": 2}
    m = Checkpoint(1, "language_model.backbone.", "language_model.")
    m.ends(c, "BF16")
    m.mamba(0, c, 2, "FP8")
    m.attention(2, c, "BF16", "FP8[1]")
    m.mamba(4, c, 2, "FP8[1]")
    for i, (experts, _, width) in sizes.items():
        m.moe(i, 48, experts, width, "FP8" if i != 3 else "BF16", "FP8" if i != 5 else "F16", latent=18, shared=30, gate="BF16")
    for layer in ("layers.0.mixer.in_proj.input_scale", "layers.2.mixer.k_proj.k_scale", "layers.2.mixer.v_proj.v_scale"):
        m.scalar(m.prefix + layer, 0.25, (1,))  # left alone
    m.write("puzzle", c)


def legacy():
    """Legacy keys over wrong modern ones, dense blocks, tied embeddings, no convolution bias, limited time steps."""
    c = {"model_type": "nemotron_h", "vocab_size": 72, "hidden_size": 40, "norm_eps": 1e-4,
         "hybrid_override_pattern": "M-*-M-", "num_hidden_layers": None, "intermediate_size": 50,
         "mamba_n_groups": 3, "n_groups": 1, "mamba_d_conv": 3, "conv_kernel": 4, "mamba_conv_bias": False,
         "use_conv_bias": True, "mamba_dt_limit": [0.02, 0.5], "time_step_limit": [0.0, 1.0], "mamba_expand": 7,
         "mamba_chunk_size": 5, "mamba_dt_min": 0.3, **MAMBA, **ATTENTION, "head_dim": 10, "tie_word_embeddings": True,
         "partial_rotary_factor": 1.0, "eos_token_id": [2, 3]}
    m = Checkpoint(2, "model.")
    m.ends(c, "F16", head=False)
    m.mamba(0, c, 3, "F32", conv_bias=False, small="F32")
    m.mlp(1, 40, 50, "F16")
    m.attention(2, c, "F16", "F32")
    m.mlp(3, 40, 50, "BF16")
    m.mamba(4, c, 3, "F16", conv_bias=False, small="F16")
    m.mlp(5, 40, 50, "FP8")
    m.write("legacy", c)


def grouped():
    """Router groups, NVFP4 beside FP8 and BF16, stacked experts in one layer, weights not normalised, two shards, MTP."""
    c = {"architectures": ["NemotronHForCausalLM"], "model_type": "nemotron_h", "vocab_size": 64, "hidden_size": 32,
         "layer_norm_epsilon": 1e-5, "layers_block_type": ["moe", "linear_attention", "moe", "full_attention", "moe", "mlp"],
         "hybrid_override_pattern": "MM", "intermediate_size": 48, "n_groups": 2, "conv_kernel": 4, **MAMBA,
         **ATTENTION, "moe_latent_size": None, "n_routed_experts": 8, "num_experts_per_tok": 3, "n_group": 4,
         "topk_group": 2, "moe_intermediate_size": 16, "n_shared_experts": 0, "routed_scaling_factor": 0.6,
         "norm_topk_prob": False, "num_nextn_predict_layers": 1, "eos_token_id": 2}
    m = Checkpoint(3)
    m.ends(c, "NVFP4")
    m.moe(0, 32, 8, 16, "NVFP4", "NVFP4")
    m.mamba(1, c, 2, "FP8")
    m.moe(2, 32, 8, 16, "BF16", "BF16", stacked=True)
    m.attention(3, c, "BF16", "FP8")
    m.moe(4, 32, 8, 16, "FP8", "NVFP4")
    m.mlp(5, 32, 48, "NVFP4")
    m.linear("mtp.layers.0.eh_proj", 32, 64)  # left alone
    m.write("grouped", c, shards=2)


if __name__ == "__main__":
    puzzle()
    legacy()
    grouped()
