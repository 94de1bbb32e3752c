# What there is to do with pip-compose. `make` lists it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.ONESHELL:
.PHONY: help build-setup setup lab-setup test-setup toolchain build deb tarball release demo docs test outside interface faults fuzz sanitize lint bench \
	instructions gallery lanes soak lab platforms board bare-install bare-tarball clean

# The packages that the command uses at run time: GStreamer's plug-ins for movies, streams and sound; and a GPU's driver
# or Mesa's software renderer, a font, what shapes texts, loaders of pictures, and libcurl.
RUNTIME_PACKAGES := $(shell sed '/^\#/d' Packaging/runtime-packages)
MEDIA_PACKAGES := $(filter gstreamer1.0-% libgdk-pixbuf-2.0-0 %-gdk-pixbuf,$(RUNTIME_PACKAGES))
# The Debian and Ubuntu packages that building the command needs, and drawing with it.
BUILD_PACKAGES := pkg-config libegl-dev libgles-dev libgbm-dev libdrm-dev libspng-dev libturbojpeg0-dev libwebp-dev \
	libv4l-dev libyuv-dev libyaml-dev libexpat1-dev libsqlite3-dev libfreetype-dev libfontconfig-dev libglib2.0-dev libgstreamer1.0-dev \
	libgstreamer-plugins-base1.0-dev libcurl4-openssl-dev libharfbuzz-dev libfribidi-dev \
	$(filter-out $(MEDIA_PACKAGES),$(RUNTIME_PACKAGES))
# The camera lab's packages; none where it cannot be built.
LAB_PACKAGES = $(if $(filter x86_64,$(shell uname -m)),$(shell Tests/Lab/build packages))
# The tests' packages: programs that read what is written, servers that are sent to or record, a broker of MQTT with its
# clients, mDNS, displays that nobody sees, a bus and PipeWire for cameras of a desktop's portal, a browser, and Python for the
# packages in Tests/Python; what looks at packages, services and manual pages; schedulers; Pango with fonts of several scripts; and HEIC's encoder.
TEST_PACKAGES := curl openssl ffmpeg libheif-examples optional:libheif-plugin-x265 nginx-light libnginx-mod-rtmp srt-tools optional:janus optional:gpsd \
	mosquitto mosquitto-clients chromium python3 python3-venv \
	avahi-daemon avahi-utils python3-gi gir1.2-gst-rtsp-server-1.0 pulseaudio pulseaudio-utils \
	xvfb python3-xlib weston dbus pipewire wireplumber gstreamer1.0-pipewire \
	systemd dpkg-dev lintian mandoc man-db appstream zsh fish \
	slurmctld slurmd slurm-client munge parallel \
	pango1.0-tools fonts-lohit-deva fonts-tlwg-loma-otf fonts-droid-fallback fonts-noto-color-emoji
# Tests/build says why.
SWIFT := SWIFT_DETERMINISTIC_HASHING=1 swift
TWO_WEBCAMS := vivid n_devs=2 node_types=0x1,0x1 input_types=0x0,0x0

## help: this list
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST) | sed 's/^\([a-z-]*\): /\1\t/' | expand -t 12

# A command that is built with these packages draws, and writes pictures. For a movie, a stream or a picture of a rarer
# kind it names the package that is missing.
build-setup: toolchain
	@Tests/setup $(BUILD_PACKAGES)

## setup: install what building and running need, also movies, streams and sound (apt-get, by sudo when not root)
setup: toolchain
	@Tests/setup $(BUILD_PACKAGES) $(MEDIA_PACKAGES)

lab-setup: toolchain
	@Tests/setup $(BUILD_PACKAGES) $(MEDIA_PACKAGES) $(LAB_PACKAGES)

## test-setup: install what the tests and the camera lab need besides
# Servers that a test starts itself are not to be started by their installation.
test-setup: lab-setup
	@RUNLEVEL=1 Tests/setup $(TEST_PACKAGES)
	@Tests/Python/install

toolchain:
	@command -v swift >/dev/null || {
		echo "swift is not installed: see https://swift.org/install (6.2 or newer), then run make again" >&2
		exit 1
	}
	version=$$(swift --version 2>/dev/null | sed --quiet 's/.*Swift version \([0-9.]*\).*/\1/p')
	printf '6.2\n%s\n' "$$version" | sort --version-sort --check=silent || {
		echo "this is Swift $$version, but 6.2 or newer is needed: see https://swift.org/install, then run make again" >&2
		exit 1
	}

## build: the pip-compose command, optimized, in .build/release
build: build-setup
	Tests/build --product pip-compose

## deb: a Debian package of the command, in .build/deb (ARCH=arm64: for boards, by cross-compiling; needs root)
DEB_BUILD := $(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/deb \
	-Xswiftc -use-ld=lld $(shell sed '/^\#/d' Packaging/link-options) \
	-Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.
ifeq ($(ARCH),arm64)
deb:
	@Packaging/cross .build/deb
else
deb: build-setup
	Tests/setup dpkg-dev
	$(DEB_BUILD) --product pip-compose
	$(DEB_BUILD) --product pip-manual
	@Packaging/package --checkouts .build/deb/checkouts .build/deb/release/pip-compose .build/deb/release/pip-manual .build/deb
endif

## tarball: the command with all of its libraries, for other distributions, in .build/deb; for glibc as new as here
tarball: deb
	Tests/setup $(RUNTIME_PACKAGES) libsoup-3.0-0 glib-networking
	@Packaging/tarball .build/deb/tree .build/deb

## release: packages, tarball, sources, documentation, bill of materials and checksums, in .build/release-files; needs root
release: build-setup
	@Packaging/release .build/release-files

## demo: three seconds of two cameras (or generated scenes) into demo-output/
demo: build
	@Tests/demo .build/release/pip-compose demo-output

## docs: the documentation as a website in .build/site, links checked (BASE=NAME when a server has it below /NAME)
DOCUMENTS := README.md CONTRIBUTING.md CHANGELOG.md $(wildcard docs/*.md */README.md Tests/*/README.md \
	docs/*.docc/*.md Sources/*/*.docc/*.md)
docs: build-setup
	@docs/links $(DOCUMENTS)
	Tests/build --build-tests
	docs/site "$$(Tests/build --show-bin-path)" .build/site $(BASE)
	@echo "The site is in .build/site: python3 -m http.server --directory .build/site shows it at http://localhost:8000/"

## test: every test, on this machine and in the camera lab
test: test-setup
	@Tests/run test

## interface: docs/interface.txt, with the library's public declarations as they are now
interface: test-setup
	PIP_INTERFACE=record Tests/run test InterfaceTests

## outside: the tests of a package that depends on this one without its traits, as a user's might
outside: build-setup
	$(SWIFT) test --package-path Tests/Outside --scratch-path .build/outside

## faults: every fault of the fault matrix, one line each, and docs/faults.md
faults: test-setup
	@Tests/run faults

## fuzz: every parser under hostile input for 20 seconds (FUZZ="--runs 1000000 png" for more)
fuzz: setup
	@Tests/fuzz $(FUZZ)

## sanitize: tests under the address and the thread sanitizer (SANITIZE="short thread", SANITIZE=all)
sanitize: test-setup
	@Tests/run sanitize $(SANITIZE)

## lint: format, documentation and readability of the Swift code, length of comments, syntax of the scripts
lint: toolchain
	@Tests/setup python3
	@Tests/lint

## bench: speed, beside other programs
bench: setup
	@if [ -x Benchmarks/run ]; then Benchmarks/run; else echo "there are no benchmarks in this checkout"; fi

## instructions: the instructions of a frame of each workload, beside the stored ones (fails when one is dearer by 5 %)
instructions: setup
	@Benchmarks/instructions

## gallery: the documentation's pictures: docs/effects.jpg, every effect, with docs/effects.md beside it, and the README's
gallery: build
	@docs/gallery .build/release/pip-compose
	@docs/pictures .build/release/pip-compose
	PIP_DOCS=record Tests/run test EffectTableTests >/dev/null || true
	git -C "$(CURDIR)" --no-pager diff --stat -- docs

## lanes: vector code for the CPU of the effects' GLSL, in Sources/CPixels/Generated
lanes: toolchain
	Tests/build --product glsl-lanes
	"$$(Tests/build --show-bin-path)/glsl-lanes" Shaders Sources/CPixels/Generated

## soak: HOURS=24 of camera time with random faults and a panel in use, in the camera lab's virtual time; SEED=1 repeats them
soak: lab-setup
	@Tests/soak "$(or $(HOURS),24)" "$(or $(SEED),1)"

## lab: a shell in the camera lab, with two cameras
lab: lab-setup
	@Tests/Lab/build
	Tests/Lab/lab --tty --share "$(CURDIR)" --module '$(TWO_WEBCAMS)' --module vgem -- bash

## platforms: the tests on other systems, in roots of them (SYSTEM=trixie), and docs/platforms.md; needs root
platforms:
	@Tests/Platforms/run $(SYSTEM)

## board: the package for arm64, installed and used on an emulated board with two cameras; needs root
board:
	@Packaging/cross .build/deb
	@Tests/Platforms/board .build/deb/pip-compose_*_arm64.deb .build/board

## bare-install: the package, installed in bare roots of Debian 12 and 13, used, upgraded, removed and purged; needs root
bare-install: deb
	@Tests/Platforms/install .build/deb/pip-compose_*_$(or $(ARCH),$$(dpkg --print-architecture)).deb

## bare-tarball: the tarball, unpacked and used in bare roots of Debian and Ubuntu, and removed; needs root
bare-tarball: tarball
	@Tests/Platforms/tarball .build/deb/pip-compose_*_linux-*.tar.gz

## clean: remove what was built (the camera lab's kernel stays: it is kept in ~/.cache)
clean:
	rm -rf .build demo-output Benchmarks/results/inputs Benchmarks/results/partial
